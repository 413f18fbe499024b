import DesignSystem
import Domain
import Patients
import TestSupport
import Testing

@Suite("Changing a patient")
struct PatientEditTests {
  let errors = FakeErrorRouter()
  let coordinator = FakeCoordinator()

  private func edited(_ line: String, of patient: Patient = Sample.ana) async throws -> (Patient?, AppError?) {
    let patients = FakePatientRepository(expecting: .edit(patient.id), .read(patient.id, .localOnly))
    patients.add(patient)
    let commands = PatientsCommands.commands(
      of: PatientsFeature(
        patients: patients, resolver: FakeResolver(), coordinator: coordinator, errors: errors,
        context: Sample.context()))
    let error = try await failure("patients edit \(patient.id) \(line)", commands)
    return (patients.stored(patient.id), error)
  }

  private func ana(_ change: (inout Patient) -> Void) -> Patient {
    var ana = Sample.ana
    change(&ana)
    return ana
  }

  @Test("names a part by its use, adds it where there is none, and leaves everything else")
  func parts() async throws {
    let maiden = try await edited("--name-use maiden --family Solo --name-until 2010-05").0
    #expect(
      maiden
        == ana {
          $0.name.append(
            HumanName(use: .known(.maiden), family: "Solo", period: Period(end: .date(Sample.day("2010-05")))))
        })
    let work = try await edited("--phone 555-0142 --phone-use work").0
    #expect(
      work
        == ana {
          $0.telecom.append(ContactPoint(system: .known(.phone), value: "555-0142", use: .known(.work)))
        })
    let home = try await edited(
      "--address-use temp --address-line 'Pier 4' --address-district South --address-from 2026"
    )
    .0
    #expect(
      home
        == ana {
          $0.address = [
            Address(
              use: .known(.temporary), line: ["Pier 4"], district: "South",
              period: Period(start: .date(Sample.day("2026"))))
          ]
        })
    let gone = try await edited("--phone '' --phone-use mobile").0
    #expect(gone == ana { $0.telecom = [] })
  }

  @Test("adds identifiers once and takes away what was never the patient's")
  func identifiers() async throws {
    let added = try await edited("--identifier 'urn:x|7' --identifier 'urn:mrn|MRN-0001'").0
    #expect(added == ana { $0.identifier.append(Identifier(system: "urn:x", value: "7")) })
    #expect(try await edited("--remove-identifier 'urn:mrn|MRN-0001'").0 == ana { $0.identifier = [] })
    let unknown = try await edited("--remove-identifier 'urn:mrn|MRN-9'")
    #expect(unknown.1?.field == "remove-identifier" && unknown.0 == Sample.ana)
  }

  @Test(
    "records a death as precisely as it is known, and takes it back",
    arguments: [
      ("yes", Patient.Deceased.boolean(true)), ("no", .boolean(false)),
      ("2026-11", .dateTime(.date(Sample.day("2026-11")))),
      ("''", nil),
    ] as [(String, Patient.Deceased?)])
  func deceased(word: String, expected: Patient.Deceased?) async throws {
    let dead = ana { $0.deceased = .boolean(true) }
    #expect(try await edited("--deceased \(word)", of: dead).0 == ana { $0.deceased = expected })
  }

  @Test(
    "is refused where it cannot be right, and nothing is written",
    arguments: [
      ("--deceased 2027", "deceased"), ("--deceased perhaps", "deceased"), ("--name-use old", "name-use"),
      ("--phone-use work", "phone"), ("--address-use home", "address-use"),
      ("--family X --name-from 2020 --name-until 2019-12", "name-until"), ("--identifier 7", "identifier"),
    ])
  func refused(line: String, field: String) async throws {
    let (after, error) = try await edited(line)
    #expect(error?.code == .invalidInput && error?.field == field && after == Sample.ana)
  }

  @Test("what is withheld is shown as withheld, and what replaces what is told")
  func shown() async throws {
    let id = Patient.ID("p-m")
    let patients = FakePatientRepository(expecting: .read(id, .localOnly), .markOpened(id))
    patients.add(
      Patient(
        id: id, name: [HumanName(absentReason: .known(.masked))],
        telecom: [ContactPoint(system: .known(.phone), absentReason: .known(.askedDeclined))],
        genderAbsentReason: .known(.masked), birthDate: .absent(.known(.masked)),
        address: [Address(absentReason: .known(.masked))],
        link: [Patient.Link(other: Reference(Patient.ID("p-old").key), type: .known(.replaces))]))
    let commands = PatientsCommands.commands(
      of: PatientsFeature(
        patients: patients, resolver: FakeResolver(), coordinator: coordinator, errors: errors,
        context: Sample.context()))
    let page = try await answer("patients show p-m", commands)
    let shown = text(page)
    let lines = shown.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
    for line in [
      "name not given (masked)", "gender not given (masked)", "phone not given (asked-declined)",
      "address not given (masked)", "other record Patient/p-old, which this one replaces",
    ] { #expect(lines.contains(line), "\(line)") }
    #expect(shown.contains("birth date not given (masked)"))
    #expect(json(page).contains(#""genderAbsentReason":"masked""#))
  }
}
