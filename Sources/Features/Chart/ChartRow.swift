public import DesignSystem
public import Domain

/// One record of a chart, ready to be shown: a problem, an allergy, a medication or a vaccination.
public nonisolated struct ChartRow: Equatable, Sendable, Identifiable {
  /// The record.
  public var key: ResourceKey
  /// What it is.
  public var title: String
  /// More about it, as labels and values, in the order of importance.
  public var facts: [Fact]
  /// The state as recorded, in words.
  public var state: String
  /// What it counts as.
  public var standing: ChartStanding
  /// Since when, or when, on the clinic's clock and as precise as recorded.
  public var when: String?
  /// By what it is ordered.
  public var sortTime: DateTime?
  /// Whether it lies on a record that was merged into the patient's.
  public var formerRecord: Patient.ID?
  /// Whether edits wait to be sent.
  public var isPending: Bool
  /// Whether it is to be read first: a dangerous allergy.
  public var isDangerous = false
  /// Whether it says that there is none of its kind.
  public var statesAbsence = false

  /// The record.
  public var id: ResourceKey { key }
  /// For programs.
  public var record: Record

  /// A labelled value.
  public struct Fact: Hashable, Sendable {
    /// What it is.
    public var label: String
    /// The value as shown.
    public var value: String

    init(_ label: String, _ value: String) {
      self.label = label
      self.value = value
    }
  }

  /// The more precise words behind the title: `label value`, joined by semicolons.
  public var factText: String { facts.map { "\($0.label) \($0.value)" }.joined(separator: "; ") }
}

/// Makes rows of a patient's records.
nonisolated struct ChartRowMaker {
  let patient: Patient.ID
  let context: ClinicContext

  private var zone: ClinicZone { context.zone }

  func row(_ charted: Charted<Condition>) -> ChartRow {
    let problem = charted.entry
    var facts: [ChartRow.Fact] = []
    let onset = text(problem.onset)
    let abatement = text(problem.abatement)
    if let severity = problem.severity?.displayText { facts.append(.init("severity", severity)) }
    if let abatement { facts.append(.init("ended", abatement)) }
    facts += notes(problem.note)
    let clinical = problem.clinicalStatus?.words
    let verification = problem.verificationStatus?.words
    return make(
      charted, title: problem.code?.displayText, facts: facts,
      state: state(problem.standing, [clinical, verification == "confirmed" ? nil : verification]),
      standing: problem.standing, when: onset ?? problem.recordedDate.map { "recorded \(zone.clinicText($0))" },
      record: "problem",
      [
        "code": .optional(problem.code?.firstCode), "clinicalStatus": .optional(clinical),
        "verificationStatus": .optional(verification),
        "listed": .bool(problem.isProblemListItem), "onset": .optional(onset), "abatement": .optional(abatement),
        "recordedDate": .optional(problem.recordedDate?.description),
        "recorder": .optional(problem.recorder?.displayText),
      ])
  }

  func row(_ charted: Charted<AllergyIntolerance>) -> ChartRow {
    let allergy = charted.entry
    let reactions = allergy.reaction.compactMap { reaction in
      let what = reaction.manifestation.compactMap(\.displayText) + [reaction.description].compactMap(\.self)
      let text = what.joined(separator: ", ") + (reaction.severity.map { " (\($0.rawValue))" } ?? "")
      return text.isEmpty ? nil : text
    }
    var facts: [ChartRow.Fact] = []
    if let criticality = allergy.criticality { facts.append(.init("criticality", criticality.rawValue)) }
    if !reactions.isEmpty { facts.append(.init("reaction", reactions.joined(separator: "; "))) }
    if !allergy.category.isEmpty {
      facts.append(.init("category", allergy.category.map(\.rawValue).joined(separator: ", ")))
    }
    facts += notes(allergy.note)
    let clinical = allergy.clinicalStatus?.words
    let verification = allergy.verificationStatus?.words
    var title = allergy.code?.displayText
    if case .ofKind(let words) = allergy.absence { title = title ?? words }
    var row = make(
      charted, title: title, facts: facts, state: state(allergy.standing, [clinical, verification]),
      standing: allergy.standing,
      when: text(allergy.onset)
        ?? allergy.recordedDate.map { "recorded \(zone.clinicText($0))" }, record: "allergy",
      [
        "code": .optional(allergy.code?.firstCode), "clinicalStatus": .optional(clinical),
        "verificationStatus": .optional(verification), "criticality": .optional(allergy.criticality?.rawValue),
        "categories": .strings(allergy.category.map(\.rawValue)), "reactions": .strings(reactions),
        "statesAbsence": .bool(allergy.absence != nil),
        "recordedDate": .optional(allergy.recordedDate?.description),
        "recorder": .optional(allergy.recorder?.displayText),
      ])
    row.statesAbsence = allergy.absence != nil
    row.isDangerous =
      allergy.standing == .current
      && (allergy.criticality == .known(.high)
        || allergy.reaction.contains { $0.severity == .known(.severe) })
    return row
  }

  func row(_ charted: Charted<MedicationRequest>) -> ChartRow {
    let request = charted.entry
    var facts: [ChartRow.Fact] = [.init("dose", request.doseText ?? "not recorded")]
    if let reason = request.statusReason?.displayText { facts.append(.init("because of", reason)) }
    let reasons = request.reasonCode.compactMap(\.displayText)
    if !reasons.isEmpty { facts.append(.init("for", reasons.joined(separator: ", "))) }
    if let requester = request.requester?.displayText { facts.append(.init("by", requester)) }
    facts += notes(request.note)
    let status = request.status?.rawValue
    return make(
      charted, title: request.medication?.displayText, facts: facts, state: status ?? "not given",
      standing: request.standing, when: request.authoredOn.map { zone.clinicText($0) }, record: "medication",
      [
        "code": .optional(request.medication?.concept.firstCode), "status": .optional(status),
        "intent": .optional(request.intent?.rawValue), "dose": .optional(request.doseText),
        "reason": .optional(request.statusReason?.displayText),
        "authoredOn": .optional(request.authoredOn.map { zone.recorded($0) }),
        "requester": .optional(request.requester?.displayText),
      ])
  }

  func row(_ charted: Charted<Immunization>) -> ChartRow {
    let vaccination = charted.entry
    var facts: [ChartRow.Fact] = []
    if let lot = vaccination.lotNumber { facts.append(.init("lot", lot)) }
    if let reason = vaccination.statusReason?.displayText { facts.append(.init("because of", reason)) }
    let performers = vaccination.performer.compactMap(\.actor.displayText)
    if !performers.isEmpty { facts.append(.init("by", performers.joined(separator: ", "))) }
    facts += notes(vaccination.note)
    let status = vaccination.status?.rawValue
    var occurrence: String?
    var when: String?
    switch vaccination.occurrence {
    case .dateTime(let time):
      occurrence = zone.recorded(time)
      when = zone.clinicText(time)
    case .string(let text):
      occurrence = text
      when = text
    case nil: break
    }
    return make(
      charted, title: vaccination.vaccineCode?.displayText, facts: facts,
      state: vaccination.standing == .refuted ? "not given to the patient" : status ?? "not given",
      standing: vaccination.standing, when: when, record: "immunization",
      [
        "code": .optional(vaccination.vaccineCode?.firstCode), "status": .optional(status),
        "occurrence": .optional(occurrence), "lotNumber": .optional(vaccination.lotNumber),
        "performers": .strings(performers),
      ])
  }

  private func make<Entry: ChartEntry>(
    _ charted: Charted<Entry>, title: String?, facts: [ChartRow.Fact], state: String, standing: ChartStanding,
    when: String?, record kind: String, _ fields: KeyValuePairs<String, RecordValue>
  ) -> ChartRow {
    let entry = charted.entry
    let former = entry.patientID == patient ? nil : entry.patientID
    let title = title ?? "not named"
    return ChartRow(
      key: entry.key, title: title, facts: facts, state: state, standing: standing, when: when,
      sortTime: entry.sortTime, formerRecord: former, isPending: charted.isPending,
      record: Record(
        kind: kind,
        fields: [
          Record.Field("id", .string(entry.id.rawValue)), Record.Field("title", .string(title)),
          Record.Field("standing", .string(standing.rawValue)),
          Record.Field("patient", charted.patient.map { PatientIdentity($0, today: context.today).record } ?? .null),
          Record.Field("visit", .optional(entry.visitID?.rawValue)),
          Record.Field("formerRecord", .optional(former?.rawValue)),
          Record.Field("pending", .bool(charted.isPending)),
          Record.Field("enteredInError", .bool(entry.isEnteredInError)),
        ] + fields.map { Record.Field($0.key, $0.value) }))
  }

  /// A time on the clinic's clock with the zone's name, or whatever else is recorded.
  private func text(_ onset: Onset?) -> String? {
    if case .dateTime(let time) = onset { zone.clinicText(time) } else { onset?.displayText(in: zone) }
  }

  private func notes(_ notes: [Annotation]) -> [ChartRow.Fact] { notes.map { .init("note", $0.text) } }

  /// The states as recorded; nothing is put in the place of one that is missing.
  private func state(_ standing: ChartStanding, _ states: [String?]) -> String {
    if standing == .enteredInError { return standing.text }
    let recorded = states.compactMap(\.self)
    return recorded.isEmpty ? "state not recorded" : recorded.joined(separator: ", ")
  }
}

extension CodeableConcept {
  /// A state as its code, which people know, else its text.
  fileprivate nonisolated var words: String? { firstCode ?? displayText }
}
