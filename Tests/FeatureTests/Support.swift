import DesignSystem
import Domain
import Foundation
import Testing

/// A clinic in New York on a Monday morning.
nonisolated enum Sample {
  static let zone = ClinicZone("America/New_York") ?? .utc
  static let now = instant("2026-11-30T15:00:00Z")
  static let nora = Author(issuer: "os", subject: "nora", practitioner: Practitioner.ID("dr-1"))

  static func context(_ reading: ReadMode = .local, zone: ClinicZone = Sample.zone) -> ClinicContext {
    ClinicContext(zone: zone, clock: .fixed(now), author: nora, reading: reading)
  }

  static func instant(_ text: String) -> Instant { Instant(text) ?? Instant(secondsSince1970: 0) }

  static let ana = Patient(
    id: Patient.ID("p-1"), identifier: [Identifier(system: "urn:mrn", value: "MRN-0001")],
    name: [HumanName(use: .known(.official), family: "Pérez", given: ["Ana"])],
    telecom: [ContactPoint(system: .known(.phone), value: "555-0100", use: .known(.mobile))],
    gender: .known(.female), birthDate: .value(day("1980-05-17")))

  /// Case 03: the birth date is withheld.
  static let masked = Patient(
    id: Patient.ID("p-03"), name: [HumanName(family: "Verdeckt", given: ["Mia"])],
    birthDate: .absent(.known(.masked)))

  /// Case 05: only the year is known.
  static let yearOnly = Patient(
    id: Patient.ID("p-05b"), name: [HumanName(family: "Jahr")], birthDate: .value(day("1951")))

  /// Case 09: no name, but an identifier.
  static let unnamed = Patient(
    id: Patient.ID("p-09a"), identifier: [Identifier(value: "MRN-0909")], birthDate: .notRecorded)

  /// Case 09: nothing but an id.
  static let bare = Patient(id: Patient.ID("p-09d"))

  static func day(_ text: String) -> PartialDate { PartialDate(text) ?? PartialDate(CalendarDay(daysSince1970: 0)) }

  static let drOne = Practitioner(
    id: Practitioner.ID("dr-1"), name: [HumanName(family: "Okafor", given: ["Ngozi"], prefix: ["Dr."])])
  static let room = Location(id: Location.ID("room-1"), name: "Room 1")

  static func appointment(
    _ id: String, at start: String, minutes: Int64 = 30, status: AppointmentStatus = .booked,
    patient: Patient? = ana, isPending: Bool = false
  ) -> ScheduledAppointment {
    let begin = instant(start)
    let who = patient?.key ?? ResourceKey(type: "Patient", id: "gone")
    return ScheduledAppointment(
      appointment: Appointment(
        id: Appointment.ID(id), status: .known(status), reasonCode: [CodeableConcept(text: "follow-up")],
        start: begin, end: begin.adding(seconds: minutes * 60),
        participant: [Appointment.Participant(actor: Reference(who))]),
      patient: patient, practitioner: drOne, location: room, isPending: isPending)
  }

  static func visit(
    _ id: String, at start: String, status: EncounterStatus = .inProgress, of patient: Patient? = ana,
    appointment: String? = nil, isPending: Bool = false
  ) -> Charted<Encounter> {
    var visit = Encounter(
      id: Encounter.ID(id), status: .known(status), encounterClass: Encounter.ambulatory,
      type: [CodeableConcept(text: "Office visit")], subject: Reference((patient ?? bare).key),
      participant: [Encounter.Participant(individual: Reference(drOne.key, display: "Dr. Okafor"))],
      appointment: appointment.map { [Reference(id: Appointment.ID($0))] } ?? [],
      period: Period(start: .instant(instant(start))), reasonCode: [CodeableConcept(text: "sore throat")])
    if status == .finished { visit.period?.end = .instant(instant(start).adding(seconds: 900)) }
    return Charted(visit, patient: patient, isPending: isPending)
  }

  static func note(
    _ id: String, _ text: String, status: DocumentReference.DocumentStatus? = .final, visit: String? = nil,
    appends: String? = nil, withdrawn: Bool = false
  ) -> Charted<DocumentReference> {
    Charted(
      DocumentReference(
        id: DocumentReference.ID(id), status: .known(withdrawn ? .enteredInError : .current),
        docStatus: status.map(OpenCode.known), type: DocumentReference.progressNote, subject: Reference(ana.key),
        date: instant("2026-11-30T14:50:00Z"), author: [Reference(display: "Dr. Okafor")],
        relatesTo: appends.map {
          [
            DocumentReference.Relation(
              code: .known(.appends), target: Reference(id: DocumentReference.ID($0)))
          ]
        } ?? [], content: [DocumentReference.Attachment(text: text)],
        encounter: visit.map { [Reference(ResourceKey(type: "Encounter", id: $0))] } ?? []), patient: ana)
  }

  static func allergy(
    _ name: String, _ clinical: AllergyIntolerance.ClinicalStatus? = .active,
    _ verification: AllergyIntolerance.VerificationStatus? = .confirmed,
    criticality: AllergyIntolerance.Criticality? = nil, reaction: String? = nil
  ) -> Charted<AllergyIntolerance> {
    Charted(
      AllergyIntolerance(
        id: AllergyIntolerance.ID("ai-\(name.lowercased())"), clinicalStatus: clinical?.concept,
        verificationStatus: verification?.concept, criticality: criticality.map(OpenCode.known),
        code: CodeableConcept(text: name), patient: Reference(ana.key),
        recordedDate: .date(day("2020-03")),
        reaction: reaction.map { [AllergyIntolerance.Reaction(manifestation: [CodeableConcept(text: $0)])] } ?? []),
      patient: ana)
  }

  static func medication(
    _ name: String, _ status: MedicationRequestStatus = .active, dose: String? = "1-0-1"
  ) -> Charted<MedicationRequest> {
    Charted(
      MedicationRequest(
        id: MedicationRequest.ID("m-\(name.lowercased())"), status: .known(status),
        medication: .codeableConcept(CodeableConcept(text: name)), subject: Reference(ana.key),
        authoredOn: .date(day("2026-10-01")), requester: Reference(drOne.key, display: "Dr. Okafor"),
        dosageInstruction: dose.map { [MedicationRequest.Dosage(text: $0)] } ?? []), patient: ana)
  }

  static func problem(_ name: String, _ clinical: Condition.ClinicalStatus = .active) -> Charted<Condition> {
    Charted(
      Condition(
        id: Condition.ID("c-\(name.lowercased())"), clinicalStatus: clinical.concept,
        verificationStatus: Condition.VerificationStatus.confirmed.concept, category: [Condition.problemListItem],
        code: CodeableConcept(text: name), subject: Reference(ana.key), onset: .dateTime(.date(day("2019")))),
      patient: ana)
  }

  static func vaccination(_ name: String, _ status: Immunization.Status = .completed) -> Charted<Immunization> {
    Charted(
      Immunization(
        id: Immunization.ID("i-\(name.lowercased())"), status: .known(status),
        vaccineCode: CodeableConcept(text: name), patient: Reference(ana.key),
        occurrence: .dateTime(.date(day("2025-10-11"))), lotNumber: "A1"), patient: ana)
  }

  static func pulse(
    _ id: String, _ value: String, status: ObservationStatus = .final, notes: [String] = []
  ) -> RecordedObservation {
    RecordedObservation(
      observation: ClinicalObservation(
        id: ClinicalObservation.ID(id), status: .known(status), code: VitalSign.pulse.concept,
        subject: Reference(ana.key), effective: .dateTime(.instant(instant("2026-11-30T14:30:00Z"))),
        value: PreciseDecimal(value).map { .quantity(Quantity($0, ucum: "/min")) },
        note: notes.map { Annotation(text: $0) }), patient: ana)
  }
}

/// What contradicts itself in specifications.
func contradictions(in commands: [Command]) -> [String] {
  CommandTable(commands: commands, globals: GlobalSpecs(flags: [.yes, .fresh])).problems()
}

/// Runs a line as a front would, without a session.
func answer(_ line: String, _ commands: [Command]) async throws -> Page {
  let table = CommandTable(commands: commands, globals: GlobalSpecs(flags: [.yes, .fresh]))
  guard case .run(let command, let invocation) = try table.parse(line: line, rows: nil).action else {
    throw AppError(.internalFault, "\(line) is no command")
  }
  return try await command.run(invocation)
}

/// The error that a line ends with; `nil` if it does not.
func failure(_ line: String, _ commands: [Command]) async throws -> AppError? {
  do {
    _ = try await answer(line, commands)
    return nil
  } catch let error as AppError {
    return error
  }
}

/// A page for people, in 80 columns.
func text(_ page: Page) -> String { TextRenderer(width: 80).render(page) }

/// A page for programs.
func json(_ page: Page) -> String { JSONRenderer().render(page) }

/// Compares with a file of `Tests/Fixtures/Screens`. With `UPDATE_FIXTURES=1` in the environment it is written instead.
func expectScreen(_ text: String, named name: String) throws {
  let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Fixtures/Screens")
  let url = folder.appending(path: "\(name).txt")
  if ProcessInfo.processInfo.environment["UPDATE_FIXTURES"] == "1" {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try text.write(to: url, atomically: true, encoding: .utf8)
  }
  #expect(text == (try String(contentsOf: url, encoding: .utf8)))
}
