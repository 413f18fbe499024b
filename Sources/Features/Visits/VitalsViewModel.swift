public import DesignSystem
public import Domain
public import Observation

/// A patient's vital signs: shown, and recorded.
@Observable
public final class VitalsViewModel {
  /// What is shown.
  public private(set) var state: LoadState<VitalsDisplay> = .idle
  /// What became of the last recording.
  public private(set) var recording: ActionState<Recording> = .idle

  private let patient: Patient.ID
  private let repositories: VisitsRepositories
  private let errors: any ErrorRouting
  private let context: ClinicContext

  /// Creates the model of one patient's vital signs.
  public init(
    patient: Patient.ID, repositories: VisitsRepositories, errors: any ErrorRouting, context: ClinicContext
  ) {
    self.patient = patient
    self.repositories = repositories
    self.errors = errors
    self.context = context
  }

  /// Shows what was observed, newest first.
  public func load(reading: ReadMode) async {
    state = .loading
    let whose = repositories.patients.patient(patient, policy: reading.policy)
    let person = reading == .settled ? await whose.settled() : await whose.first()
    let identity = person?.value.map { PatientIdentity($0, today: context.today) }
    guard let identity, let person else {
      let error =
        person?.isDeleted == true
        ? AppError(.deleted, "\(patient.key) was deleted at the server")
        : .unknown(patient.key, mode: reading, revalidation: person?.revalidation ?? .idle)
      errors.present(error)
      state = .failed(error)
      return
    }
    let query = ObservationQuery(patient: patient)
    await repositories.observations.observations(matching: query, policy: reading.policy).listen(reading) { snapshot in
      let entries = (snapshot.value ?? []).map { ObservationEntry($0, context: context) }
      state = .showing(
        VitalsDisplay(
          patient: identity, patientIsDeleted: person.isDeleted, entries: entries.filter { !$0.isWithdrawn },
          withdrawn: entries.filter(\.isWithdrawn), status: AnswerStatus(snapshot, context), zone: context.zone))
      if reading == .settled, case .failed(let error) = snapshot.revalidation { errors.present(error) }
    }
  }

  /// Records what was measured, as one action.
  ///
  /// - Parameters:
  ///   - time: When it was measured; now if `nil`.
  ///   - confirmed: False refuses numbers that are unusual, naming them.
  public func record(_ readings: [VitalReading], at time: Instant?, confirmed: Bool, reading: ReadMode) async {
    recording = .working
    do throws(AppError) {
      let person = try await repositories.patients.current(patient, for: "vital sign", mode: reading)
      let now = context.zone.written(context.clock.now())
      let time = time.map(context.zone.written) ?? now
      if now < time {
        throw AppError(.invalidInput, "\(context.zone.echo(time)) lies in the future", field: "at")
      }
      for one in readings { try one.checkPossible() }
      let doubts = readings.flatMap(\.doubts)
      if !doubts.isEmpty, !confirmed {
        throw AppError(.needsConfirmation, "\(doubts.joined(separator: "; ")): record it all the same?")
      }
      let visit = await visit(at: time)
      let drafts = readings.map {
        $0.observation(of: person, at: time, performer: context.authorReference, visit: visit)
      }
      let receipts = try await repositories.observations.record(drafts)
      var details = readings.map { WriteEcho.Detail($0.title, $0.text) }
      if let visit { details.append(WriteEcho.Detail("visit", visit.key.description)) }
      recording = .done(
        Recording(
          echo: WriteEcho(
            readings.count == 1 ? "Vital sign recorded" : "Vital signs recorded",
            patient: PatientIdentity(person, today: context.today), receipts: receipts, fallback: patient.key,
            details: details + [WriteEcho.Detail("measured", context.zone.echo(time))]),
          keys: receipts.map(\.key), readings: readings, time: time))
    } catch {
      errors.present(error)
      recording = .failed(error)
    }
  }
}

extension VitalsViewModel {
  /// The newest open visit of the patient that had begun at a time.
  private func visit(at time: Instant) async -> Encounter? {
    await repositories.encounters.openVisits(of: patient).first { visit in
      visit.period?.start.map { $0.sortBounds(in: context.zone).lowerBound <= time } ?? true
    }
  }
}

/// A patient's vital signs, ready to be shown.
public nonisolated struct VitalsDisplay: Hashable, Sendable {
  /// Whose.
  public var patient: PatientIdentity
  /// Whether the patient's record was deleted at the server.
  public var patientIsDeleted: Bool
  /// Newest first.
  public var entries: [ObservationEntry]
  /// Those that were entered in error: kept apart, never counted.
  public var withdrawn: [ObservationEntry]
  /// The answer's age and state.
  public var status: AnswerStatus
  /// The clinic's zone.
  public var zone: ClinicZone
}

/// Vital signs that are durable here.
public nonisolated struct Recording: Hashable, Sendable {
  /// What is echoed.
  public var echo: WriteEcho
  /// The observations, in the order of the readings.
  public var keys: [ResourceKey]
  /// What was measured.
  public var readings: [VitalReading]
  /// When.
  public var time: Instant
}
