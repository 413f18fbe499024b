import DesignSystem
import Domain

/// Points out, beside a write, that another patient is called alike: the wrong one of two is the commonest mistake.
struct Namesakes {
  let patients: any PatientRepository
  let context: ClinicContext

  /// How many are named at most.
  private static let limit = 3

  /// A command that points them out beside what it wrote.
  func watching(_ command: Command) -> Command {
    guard command.spec.effects == .write else { return command }
    return Command(command.spec) { invocation throws(AppError) in
      var page = try await command.run(invocation)
      for id in Self.written(page) { page.warnings += await self.warnings(about: id, beside: page.warnings) }
      return page
    }
  }

  /// The patients whom the echoes of a page name.
  private static func written(_ page: Page) -> [Patient.ID] {
    var found: [Patient.ID] = []
    for record in page.records where record.kind == "written" {
      for case .object(let members) in record.fields.filter({ $0.name == "patient" }).map(\.value) {
        for case .string(let id) in members.filter({ $0.name == "id" }).map(\.value) {
          if !found.contains(Patient.ID(id)) { found.append(Patient.ID(id)) }
        }
      }
    }
    return found
  }

  /// - Parameter said: What is said already: nobody is named twice.
  private func warnings(about id: Patient.ID, beside said: [String]) async -> [String] {
    guard let patient = await patients.patient(id, policy: .localOnly).first()?.value, let name = patient.nameText
    else { return [] }
    let query = PatientQuery(text: name.filter { $0 != "," }, limit: 20)
    let found = await patients.patients(matching: query, policy: .localOnly).first()?.value ?? []
    let alike = found.map(\.patient).filter { other in
      let reasons = RegistrationMatch(patient, other).reasons
      return other.id != id && other.isCurrent && reasons.contains(.sameFamilyName) && reasons.contains(.sameGivenName)
    }
    return alike.map { PatientIdentity($0, today: context.today).text }
      .filter { text in !said.contains { $0.contains(text) } }.prefix(Self.limit)
      .map { "another patient is called alike: \($0)" }
  }
}
