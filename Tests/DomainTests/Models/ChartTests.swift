import Domain
import Testing

@Suite("Rules of visits and chart records")
struct ChartTests {
  static let now = Instant(secondsSince1970: 1_790_000_000)

  @Test("Which state of a visit may follow which is this table, and every refusal says why")
  func encounterTable() {
    // Columns in the order of the cases: planned, arrived, triaged, in-progress, onleave, finished, cancelled,
    // entered-in-error, unknown.
    let expected: [EncounterStatus: String] = [
      .planned: ".xxx..xx.", .arrived: "..xx..xx.", .triaged: "...x..xx.", .inProgress: "....xx.x.",
      .onleave: "...x.x.x.", .finished: ".......x.", .cancelled: ".......x.", .enteredInError: ".........",
      .unknown: ".xxxxxxx.",
    ]
    var table: [EncounterStatus: String] = [:]
    var unexplained: [String] = []
    for status in EncounterStatus.allCases {
      table[status] = EncounterStatus.allCases.map { status.canBecome($0) ? "x" : "." }.joined()
      for next in EncounterStatus.allCases where (status.refusal(toBecome: next) == nil) != status.canBecome(next) {
        unexplained.append("\(status) → \(next)")
      }
    }
    #expect(table == expected)
    #expect(unexplained == [])
    #expect(EncounterStatus.allCases.filter(\.isOpen) == [.arrived, .triaged, .inProgress, .onleave])
  }

  @Test("A visit keeps the states that it was in, begins its period when it starts and ends it when it is over")
  func encounterHistory() throws {
    var visit = Encounter(id: "e", status: .known(.planned))
    try visit.become(.arrived, at: Self.now)
    try visit.become(.inProgress, at: Self.now.adding(seconds: 60))
    try visit.become(.finished, at: Self.now.adding(seconds: 600))
    let times: [DateTime] = [0, 60, 600].map { .instant(Self.now.adding(seconds: $0)) }
    #expect(
      visit
        == Encounter(
          id: "e", status: .known(.finished),
          statusHistory: [
            .init(status: .known(.planned), period: Period(end: times[0])),
            .init(status: .known(.arrived), period: Period(start: times[0], end: times[1])),
            .init(status: .known(.inProgress), period: Period(start: times[1], end: times[2])),
          ], period: Period(start: times[0], end: times[2])))
    #expect(throws: AppError.self) { try visit.become(.inProgress, at: Self.now) }
    var strange = Encounter(id: "e", status: .unknown("parked"))
    #expect(throws: AppError.self) { try strange.become(.finished, at: Self.now) }
  }

  @Test(
    "What an allergy counts as hangs on both states, and a missing one drops nothing",
    arguments: [
      ("active", "confirmed", ChartStanding.current), ("active", nil, .current), (nil, nil, .current),
      ("resolved", "confirmed", .past), ("inactive", "unconfirmed", .past), ("active", "refuted", .refuted),
      ("active", "entered-in-error", .enteredInError), (nil, "entered-in-error", .enteredInError),
      ("resolved", "refuted", .refuted), ("new-state", "new-one", .current),
    ] as [(String?, String?, ChartStanding)])
  func allergyStanding(clinical: String?, verification: String?, expected: ChartStanding) {
    #expect(Self.allergy("Egg", clinical, verification).standing == expected)
  }

  @Test("Allergies are read with the most dangerous first; what does not count stands apart")
  func allergyOrder() {
    let all = [
      Self.allergy("Low", "active", nil, criticality: .low), Self.allergy("Bee sting", "active", nil),
      Self.allergy("Penicillin", "active", "confirmed", criticality: .high),
      Self.allergy("Ant", "active", nil, severity: .severe), Self.allergy("Egg", "resolved", "confirmed"),
      Self.allergy("Latex", "active", "refuted"), Self.allergy("Peanut", nil, "entered-in-error"),
      Self.allergy("Unsure", "active", nil, criticality: .unableToAssess),
    ]
    let picture = AllergyPicture(all)
    #expect(picture.current.map { $0.code?.text } == ["Penicillin", "Ant", "Unsure", "Bee sting", "Low"])
    #expect(
      [picture.past, picture.refuted, picture.withdrawn].map { $0.map { $0.code?.text } }
        == [["Egg"], ["Latex"], ["Peanut"]])
    #expect(picture.headline == .some(5))
  }

  @Test("No known allergies is said only where a coded record that counts says it")
  func noneKnown() {
    var none = Self.allergy("none", "active", "confirmed")
    #expect(AllergyPicture([none]).headline == .some(1))
    none.code = AllergyIntolerance.noKnownAllergy
    #expect(AllergyPicture([none]).headline == .noneKnown)
    let latex = Self.allergy("Latex", "active", "refuted")
    #expect([AllergyPicture([latex]).headline, AllergyPicture([]).headline] == [.noneRecorded, .noneRecorded])
    let both = AllergyPicture([none, Self.allergy("Egg", "active", nil)])
    #expect(both.headline == .some(1) && both.contradictsItself)
    none.verificationStatus = AllergyIntolerance.VerificationStatus.enteredInError.concept
    #expect(AllergyPicture([none]).headline == .noneRecorded)
    var drugs = Self.allergy("x", "active", nil)
    drugs.code = CodeableConcept(coding: [Coding(system: CodeSystem.snomed, code: "409137002")])
    #expect(drugs.absence == .ofKind("no known drug allergies"))
    #expect(AllergyPicture([drugs]).headline == .noneRecorded)
  }

  @Test(
    "An allergy matches a medication by recorded code or text, and by nothing else",
    arguments: [
      ("Penicillin", "Penicillin V 500 mg tablet", true), ("Allergy to penicillins", "penicillin", true),
      ("Penicillin", "Amoxicillin 500 mg", false), ("PÉNICILLIN", "penicillin", true),
      ("Nut", "Nutmeg", false), ("Sulfa drug", "Sulfamethoxazole", false), ("Acetylsalicylic acid", "acid", true),
      ("Tablet", "Ibuprofen tablet", false), ("Penicillin G", "penicillin", true),
    ])
  func matches(allergy: String, medication: String, expected: Bool) {
    let found = AllergyMatch.all(
      in: [Self.allergy(allergy, "active", nil)], for: CodeableConcept(text: medication))
    #expect(found.isEmpty != expected)
  }

  @Test("A match by code names the code; refuted and withdrawn allergies match nothing, resolved ones still do")
  func matchesByCode() {
    let code = CodeableConcept(coding: [Coding(system: CodeSystem.rxNorm, code: "7980", display: "penicillin G")])
    var allergy = Self.allergy("Pen", "active", nil)
    allergy.code = code
    let medication = CodeableConcept(coding: code.coding, text: "Benzylpenicillin")
    #expect(AllergyMatch.all(in: [allergy], for: medication).map(\.basis) == [.code("7980")])
    let states: [(String?, String?)] = [("resolved", nil), ("active", "refuted"), (nil, "entered-in-error")]
    let counts = states.map { state -> Int in
      var other = Self.allergy("Pen", state.0, state.1)
      other.code = code
      return AllergyMatch.all(in: [other], for: medication).count
    }
    #expect(counts == [1, 0, 0])
  }

  @Test("A problem keeps FHIR's rules when it is resolved and withdrawn")
  func conditionRules() throws {
    var problem = Condition(
      id: "c", clinicalStatus: Condition.ClinicalStatus.active.concept,
      verificationStatus: Condition.VerificationStatus.confirmed.concept, category: [Condition.problemListItem],
      code: CodeableConcept(text: "Asthma"))
    #expect(problem.standing == .current && problem.violations == [])
    try problem.resolve(at: .instant(Self.now))
    #expect(problem.standing == .past && problem.violations == [])
    #expect(throws: AppError.self) { try problem.resolve(at: .instant(Self.now)) }
    try problem.retract()
    #expect(problem.standing == .enteredInError && problem.violations == [] && problem.clinicalStatus == nil)
    problem.clinicalStatus = Condition.ClinicalStatus.active.concept
    #expect(problem.violations.map { $0.prefix(5) } == ["con-4", "con-5"])
    problem.verificationStatus = nil
    problem.clinicalStatus = nil
    #expect(problem.violations.map { $0.prefix(5) } == ["con-3"])
    #expect(problem.standing == .past)
  }

  @Test("Which state of a medication may follow which is this table")
  func medicationTable() throws {
    // Columns: active, on-hold, cancelled, completed, entered-in-error, stopped, draft, unknown.
    let expected: [MedicationRequestStatus: String] = [
      .active: ".xxxxx..", .onHold: "x.x.xx..", .cancelled: "....x...", .completed: "....x...",
      .enteredInError: "........", .stopped: "....x...", .draft: "x.x.x...", .unknown: "xx.xxx..",
    ]
    var table: [MedicationRequestStatus: String] = [:]
    for status in MedicationRequestStatus.allCases {
      table[status] = MedicationRequestStatus.allCases.map { status.refusal(toBecome: $0) == nil ? "x" : "." }.joined()
    }
    #expect(table == expected)
    var request = MedicationRequest(id: "m", status: .known(.active), medication: nil)
    try request.become(.stopped, reason: "rash")
    #expect(request.standing == .past && request.statusReason?.text == "rash")
    #expect(throws: AppError.self) { try request.become(.active) }
  }

  @Test("A note may be edited until it is signed, and its text keeps every byte")
  func notes() throws {
    let text = "Grüße\n\u{0}«1.50»\r\n"
    var note = DocumentReference(
      id: "d", docStatus: .known(.preliminary), content: [DocumentReference.Attachment(text: text)])
    #expect(note.text == text)
    try note.rewrite("second", at: Self.now)
    try note.sign(by: Reference(reference: "Practitioner/d-1"))
    #expect(note.isSigned && note.text == "second" && note.authenticator?.key?.id == "d-1")
    #expect(throws: AppError.self) { try note.rewrite("third", at: Self.now) }
    #expect(throws: AppError.self) { try note.sign(by: nil) }
    try note.retract()
    #expect(note.isEnteredInError)
    let broken = [
      DocumentReference.Attachment(contentType: "text/plain", data: "/w=="),
      DocumentReference.Attachment(contentType: "text/plain", data: "!"),
      DocumentReference.Attachment(contentType: "application/pdf", data: "aGk="),
    ]
    #expect(broken.map(\.text).compactMap(\.self).filter { !$0.isEmpty } == [])
  }

  static func allergy(
    _ name: String, _ clinical: String?, _ verification: String?,
    criticality: AllergyIntolerance.Criticality? = nil, severity: AllergyIntolerance.Severity? = nil
  ) -> AllergyIntolerance {
    func concept(_ system: String, _ code: String?) -> CodeableConcept? {
      code.map { CodeableConcept(coding: [Coding(system: system, code: $0)]) }
    }
    return AllergyIntolerance(
      id: ResourceID(name), clinicalStatus: concept(CodeSystem.allergyClinical, clinical),
      verificationStatus: concept(CodeSystem.allergyVerification, verification),
      criticality: criticality.map(OpenCode.known), code: CodeableConcept(text: name),
      patient: Reference(reference: "Patient/p"),
      reaction: severity.map {
        [AllergyIntolerance.Reaction(manifestation: [CodeableConcept(text: "x")], severity: .known($0))]
      } ?? [])
  }
}
