public import Domain

/// One observation, ready to be shown.
public struct ObservationEntry: Hashable, Sendable, Identifiable {
  /// The local id.
  public var id: ClinicalObservation.ID
  /// What was observed.
  public var title: String
  /// The first code, e.g. `8867-4`.
  public var code: String?
  /// The result with its unit, as written; in words why there is none.
  public var result: String
  /// The parts of the result: a quantity each.
  public var parts: [Part]
  /// When it held true, on the clinic's clock and as precise as recorded.
  public var when: String
  /// When it held true, for programs.
  public var effective: String?
  /// The patient, when known here.
  public var patient: PatientIdentity?
  /// Whom it is about, when that is no patient who is known here.
  public var subjectText: String
  /// The state as recorded.
  public var status: String
  /// The notes, oldest first.
  public var notes: [Note]
  /// High, low and the like.
  public var interpretation: String?
  /// Who made it.
  public var performers: [String]
  /// Whether edits wait to be sent.
  public var isPending: Bool
  /// Whether it was entered in error.
  public var isWithdrawn: Bool
  /// By what it is ordered.
  public var sortTime: DateTime?
  /// The patient's record, as the observation names it.
  public var patientID: Patient.ID?
  /// The visit during which it was made.
  public var visit: Encounter.ID?

  /// A part of a result.
  public struct Part: Hashable, Sendable {
    /// What it is.
    public var title: String
    /// The code, e.g. `8480-6`.
    public var code: String?
    /// The amount; `nil` for a result of another kind.
    public var quantity: Quantity?
    /// The result as shown.
    public var text: String
  }

  /// A note.
  public struct Note: Hashable, Sendable {
    /// What it says.
    public var text: String
    /// Who wrote it.
    public var author: String?
    /// When, on the clinic's clock.
    public var time: String?
    /// When, for programs.
    public var recordedTime: String?
  }

  /// Makes an observation ready to be shown, on the clinic's clock.
  public init(_ recorded: RecordedObservation, context: ClinicContext) {
    let observation = recorded.observation
    id = observation.id
    title = observation.code.displayText ?? "not named"
    code = observation.code.coding.lazy.compactMap(\.code).first
    parts = Self.parts(observation, zone: context.zone)
    result = Self.result(observation, parts: parts, zone: context.zone)
    if let time = observation.effective?.time {
      if case .instant(let instant) = time {
        when = context.zone.text(instant)
        effective = context.zone.written(instant).text
      } else {
        when = time.displayText(in: context.zone)
        effective = time.description
      }
    } else {
      when = "time not recorded"
    }
    patient = recorded.patient.map { PatientIdentity($0, today: context.today) }
    subjectText = patient?.displayName ?? observation.subject?.displayText ?? "not said whom"
    status = observation.status?.rawValue ?? "not given"
    notes = observation.note.map { Self.note($0, zone: context.zone) }
    let interpretations = observation.interpretation.compactMap(\.displayText)
    interpretation = interpretations.isEmpty ? nil : interpretations.joined(separator: ", ")
    performers = observation.performer.compactMap(\.displayText)
    isPending = recorded.isPending
    isWithdrawn = observation.isEnteredInError
    sortTime = observation.sortTime
    patientID = observation.patientID
    visit = observation.visitID
  }

  private static func note(_ note: Annotation, zone: ClinicZone) -> Note {
    let author: String? =
      switch note.author {
      case .reference(let reference): reference.displayText
      case .string(let name): name
      case nil: nil
      }
    return Note(
      text: note.text, author: author, time: note.time?.displayText(in: zone), recordedTime: note.time?.description)
  }

  private static func parts(_ observation: ClinicalObservation, zone: ClinicZone) -> [Part] {
    var parts: [Part] = []
    if let value = observation.value {
      parts.append(
        part(observation.code, value, observation.dataAbsentReason, zone: zone))
    }
    return parts + observation.component.map { part($0.code, $0.value, $0.dataAbsentReason, zone: zone) }
  }

  private static func part(
    _ code: CodeableConcept, _ value: ClinicalObservation.Value?, _ absent: CodeableConcept?, zone: ClinicZone
  ) -> Part {
    var quantity: Quantity?
    if case .quantity(let amount) = value { quantity = amount }
    return Part(
      title: code.displayText ?? "not named", code: code.coding.lazy.compactMap(\.code).first, quantity: quantity,
      text: value?.displayText(in: zone) ?? missing(absent))
  }

  private static func missing(_ reason: CodeableConcept?) -> String {
    reason?.displayText.map { "not given (\($0))" } ?? "no result recorded"
  }

  private static func result(_ observation: ClinicalObservation, parts: [Part], zone: ClinicZone) -> String {
    if let pressure = bloodPressure(observation) { return pressure }
    if case .other(let element) = observation.value { return "recorded as \(element), which is not shown here" }
    if parts.isEmpty { return missing(observation.dataAbsentReason) }
    if parts.count == 1 { return parts[0].text }
    return parts.map { "\($0.title) \($0.text)" }.joined(separator: "; ")
  }

  /// `120/80 mmHg`, when both numbers are there in one unit.
  private static func bloodPressure(_ observation: ClinicalObservation) -> String? {
    func amount(_ sign: VitalSign) -> Quantity? {
      let part = observation.component.first { $0.code.contains(system: CodeSystem.loinc, code: sign.loinc) }
      guard case .quantity(let quantity) = part?.value else { return nil }
      return quantity
    }
    guard observation.value == nil, observation.component.count == 2, let systolic = amount(.systolic),
      let diastolic = amount(.diastolic), systolic.code == diastolic.code, systolic.comparator == nil,
      diastolic.comparator == nil, let high = systolic.value, let low = diastolic.displayText
    else { return nil }
    return "\(high)/\(low)"
  }
}
