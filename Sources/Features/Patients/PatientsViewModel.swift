public import DesignSystem
public import Domain
public import Observation

/// A list of patients: those found by a search, or those last used here.
@Observable
public final class PatientsViewModel {
  /// What is shown.
  public private(set) var state: LoadState<PatientsDisplay> = .idle
  /// What the last answer changed in the rows.
  public private(set) var changes = ListChanges<Patient.ID>()

  private let patients: any PatientRepository
  private let errors: any ErrorRouting
  private let context: ClinicContext

  /// Creates the model of a list.
  public init(patients: any PatientRepository, errors: any ErrorRouting, context: ClinicContext) {
    self.patients = patients
    self.errors = errors
    self.context = context
  }

  /// Searches by names, birth dates, identifiers and phone numbers.
  public func search(_ text: String, limit: Int = 50, asksServer: Bool = false, reading: ReadMode) async {
    let query = PatientQuery(text: text, limit: limit, asksServer: asksServer)
    await listen(patients.patients(matching: query, policy: reading.policy), reading) { match in
      PatientRow(match.patient, isPending: match.isPending, reasons: match.reasons, today: self.context.today)
    } heading: {
      .search(text, limit: limit)
    }
  }

  /// Shows the patients last used here.
  public func showRecent(limit: Int = 20, reading: ReadMode) async {
    // What was used here is known here: there is nothing to ask the server.
    let mode = reading == .settled ? .local : reading
    await listen(patients.recentPatients(limit: limit), mode) {
      PatientRow($0, isPending: false, today: self.context.today)
    } heading: {
      .recent
    }
  }

  private func listen<Element>(
    _ answers: Snapshots<[Element]>, _ reading: ReadMode, row: @escaping (Element) -> PatientRow,
    heading: () -> PatientsDisplay.Heading
  ) async {
    state = .loading
    let heading = heading()
    var rows: [PatientRow] = []
    await answers.listen(reading) { snapshot in
      changes = rows.update(to: (snapshot.value ?? []).map(row))
      state = .showing(
        PatientsDisplay(heading: heading, rows: rows, status: AnswerStatus(snapshot, context), zone: context.zone))
      if reading == .settled, case .failed(let error) = snapshot.revalidation { errors.present(error) }
    }
  }
}

/// A list of patients, ready to be shown.
public nonisolated struct PatientsDisplay: Hashable, Sendable {
  /// What the list is of.
  public enum Heading: Hashable, Sendable {
    /// Found by a search, with the greatest number that it returns.
    case search(String, limit: Int)
    /// Last used here.
    case recent
  }

  /// What the list is of.
  public var heading: Heading
  /// The patients, in the order of the answer.
  public var rows: [PatientRow]
  /// The answer's age and state.
  public var status: AnswerStatus
  /// The clinic's zone.
  public var zone: ClinicZone
}

/// One patient in a list.
public nonisolated struct PatientRow: Hashable, Sendable, Identifiable {
  /// Whose row it is.
  public var id: Patient.ID { identity.id }
  /// Who it is.
  public var identity: PatientIdentity
  /// The gender as recorded; `nil` when it is not.
  public var gender: String?
  /// The phone number to call first.
  public var phone: String?
  /// Whether edits wait to be sent.
  public var isPending: Bool
  /// Whether the patient died.
  public var isDeceased: Bool
  /// Whether the record is out of use: switched off, or replaced by another.
  public var isOutOfUse: Bool
  /// By what the patient was found, beside the name that is shown.
  public var foundBy: [String]

  init(_ patient: Patient, isPending: Bool, reasons: [PatientMatch.Reason] = [], today: CalendarDay) {
    identity = PatientIdentity(patient, today: today)
    gender = patient.gender?.rawValue
    phone = patient.telecom.preferredPhone?.value
    self.isPending = isPending
    isDeceased = patient.deceased?.isDeceased == true
    isOutOfUse = !patient.isCurrent
    foundBy = reasons.map(Self.text)
  }

  private static func text(_ reason: PatientMatch.Reason) -> String {
    switch reason {
    case .formerName(let name): "formerly \(name)"
    case .otherName(let name): "also \(name)"
    case .birthDate(let date): "born \(date)"
    case .identifier(let text), .contact(let text): text
    case .server: "found by the server"
    }
  }
}
