extension AllergyIntolerance {
  /// The clinical state, where one that is known here is recorded.
  public var clinical: ClinicalStatus? {
    clinicalStatus?.code(in: CodeSystem.allergyClinical).flatMap(ClinicalStatus.init(rawValue:))
  }

  /// How sure it is, where one of the known codes is recorded. Nothing is put in the place of what is missing.
  public var verification: VerificationStatus? {
    verificationStatus?.code(in: CodeSystem.allergyVerification).flatMap(VerificationStatus.init(rawValue:))
  }

  /// What it counts as, by both states: one alone would show a withdrawn or refuted allergy as a live one. Without a known
  /// state it counts as current, since an allergy that is overlooked does more harm.
  public var standing: ChartStanding {
    switch verification {
    case .enteredInError: return .enteredInError
    case .refuted: return .refuted
    case .unconfirmed, .confirmed, nil: break
    }
    switch clinical {
    case .inactive, .resolved: return .past
    case .active, nil: return .current
    }
  }

  /// A statement that the patient has no allergy, of all substances or of some kind of them.
  public enum Absence: Hashable, Sendable {
    /// No known allergies at all.
    case any
    /// None of a kind; in the record's words.
    case ofKind(String)
  }

  /// What the record says is absent, by its codes alone: a text such as "none" is no coded statement.
  ///
  /// Source: SNOMED CT 716186003 and its kin; the code system of absent data of the International Patient Summary.
  public var absence: Absence? {
    guard let code else { return nil }
    if code.contains(system: CodeSystem.snomed, code: "716186003")
      || code.contains(system: CodeSystem.absentOrUnknown, code: "no-known-allergies")
    {
      return .any
    }
    for (system, value, words) in Self.partialAbsences where code.contains(system: system, code: value) {
      return .ofKind(words)
    }
    return nil
  }

  private static let partialAbsences: [(String, String, String)] = [
    (CodeSystem.snomed, "409137002", "no known drug allergies"),
    (CodeSystem.snomed, "429625007", "no known food allergies"),
    (CodeSystem.snomed, "428607008", "no known environmental allergies"),
    (CodeSystem.snomed, "428197003", "no known insect allergies"),
    (CodeSystem.snomed, "1003774007", "no known latex allergies"),
    (CodeSystem.absentOrUnknown, "no-known-medication-allergies", "no known drug allergies"),
    (CodeSystem.absentOrUnknown, "no-known-food-allergies", "no known food allergies"),
    (CodeSystem.absentOrUnknown, "no-known-environmental-allergies", "no known environmental allergies"),
  ]

  /// The concept that records "no known allergies".
  public static let noKnownAllergy = CodeableConcept(
    coding: [Coding(system: CodeSystem.snomed, code: "716186003", display: "No known allergy")],
    text: "No known allergies")

  /// Lower comes first: what may be dangerous to life, then what cannot be judged or was not, then the rest.
  private var rank: Int {
    if criticality == .known(.high) { return 0 }
    if reaction.contains(where: { $0.severity == .known(.severe) }) { return 1 }
    switch criticality {
    case .known(.low): return 4
    case .known(.unableToAssess): return 2
    default: return 3
    }
  }

  /// Whether this one is to be read before another: by danger, then by name, then by id.
  public func precedes(_ other: AllergyIntolerance) -> Bool {
    let names = (code?.displayText?.lowercased() ?? "", other.code?.displayText?.lowercased() ?? "")
    return (rank, names.0, id.rawValue) < (other.rank, names.1, other.id.rawValue)
  }

  /// The patient; `nil` when nothing is said.
  public var patientID: Patient.ID? { patient?.id(of: Patient.self) }

  /// The visit during which it was recorded.
  public var visitID: Encounter.ID? { encounter?.id(of: Encounter.self) }

  /// When it was first seen, else when it was recorded.
  public var sortTime: DateTime? { onset?.time ?? recordedDate ?? lastOccurrence }

  /// Whether it was withdrawn.
  public var isEnteredInError: Bool { standing == .enteredInError }

  /// The rules of FHIR that the record breaks (hl7.org/fhir/R4/allergyintolerance.html#invs).
  public var violations: [String] {
    var violations: [String] = []
    if verification != .enteredInError, clinicalStatus == nil {
      violations.append("ait-1: an allergy that was not entered in error needs a clinical state")
    }
    if verification == .enteredInError, clinicalStatus != nil {
      violations.append("ait-2: an allergy that was entered in error has no clinical state")
    }
    return violations
  }

  /// Leads it into a clinical state.
  ///
  /// - Throws: `notAllowed` for one that was refuted or withdrawn, or that is in that state.
  public mutating func become(_ next: ClinicalStatus) throws(AppError) {
    guard standing == .current || standing == .past else {
      throw AppError(.notAllowed, "the allergy is \(standing.text), so it cannot become \(next.rawValue)")
    }
    guard clinical != next else { throw AppError(.notAllowed, "the allergy is already \(next.rawValue)") }
    clinicalStatus = next.concept
  }

  /// Notes that it was shown not to be so.
  ///
  /// - Throws: `notAllowed` for one that was refuted or withdrawn.
  public mutating func refute() throws(AppError) {
    guard standing != .refuted, standing != .enteredInError else {
      throw AppError(.notAllowed, "the allergy is already \(standing.text)")
    }
    verificationStatus = VerificationStatus.refuted.concept
    if clinicalStatus == nil { clinicalStatus = ClinicalStatus.inactive.concept }
  }

  /// Withdraws the record, as ait-2 asks for.
  ///
  /// - Throws: `notAllowed` when it is withdrawn already.
  public mutating func retract() throws(AppError) {
    guard !isEnteredInError else { throw AppError(.notAllowed, "\(key) is already marked as entered in error") }
    verificationStatus = VerificationStatus.enteredInError.concept
    clinicalStatus = nil
  }
}
