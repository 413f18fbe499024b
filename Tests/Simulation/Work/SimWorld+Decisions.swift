import Data
import Domain

extension SimWorld {
  // MARK: Reading

  func read(_ step: SimStep, _ place: Int, _ random: inout SimRandom) async {
    guard let process = await process(place) else { return }
    switch step.kind {
    case .open:
      guard
        let key = random.pick(known.filter { $0.type == "Patient" } + ledger.created.filter { $0.type == "Patient" })
      else { return }
      let waits = random.chance(0.5)
      let done = SimOnce<Void>()
      _ = Task(executorPreference: lane) {
        _ = await process.perform { data in
          _ = await data.patients.patient(Patient.ID(key.id), policy: .revalidateAlways).settled()
        }
        done.finish(())
      }
      if waits { await done.value() }
    case .search:
      let text = random.pick(["first", "family", "site", "phone"]) ?? "first"
      _ = await process.perform { data in
        _ = await data.patients.patients(matching: PatientQuery(text: text), policy: .localOnly).first()
      }
    default:
      // Old seeds looked at patients only.
      let types = step.number < SimProgram.firstTrouble ? ["Patient"] : ["Patient", "Appointment", "Observation"]
      guard let key = random.pick((known + ledger.created).filter { types.contains($0.type) }) else { return }
      process.readers.append(watch(key, in: process))
    }
  }

  /// A reader who stays, and never sees an older value after a newer one.
  private func watch(_ key: ResourceKey, in process: SimProcess) -> SpawnedWork {
    let policy: ReadPolicy = seed % 2 == 0 ? .localOnly : .revalidateWhenStale
    let task = Task(executorPreference: process.lane) { [self] in
      var shown: [SimSlot: String] = [:]
      switch key.type {
      case "Patient":
        for await snapshot in process.data.patients.patient(Patient.ID(key.id), policy: policy) {
          compare(key, &shown) { slot in snapshot.value?.value(of: slot) }
        }
      case "Appointment":
        for await snapshot in process.data.appointments.appointment(Appointment.ID(key.id), policy: policy) {
          compare(key, &shown) { slot in
            slot == .comment ? snapshot.value?.appointment.comment : snapshot.value?.appointment.start?.text
          }
        }
      default:
        for await snapshot in process.data.observations.observation(ClinicalObservation.ID(key.id), policy: policy) {
          compare(key, &shown) { _ in snapshot.value?.observation.quantityText }
        }
      }
    }
    return SpawnedWork(cancel: { task.cancel() }, finished: { await task.value })
  }

  /// Holds what is shown now against what was shown before.
  private func compare(_ key: ResourceKey, _ shown: inout [SimSlot: String], _ value: (SimSlot) -> String?) {
    for slot in SimSlot.slots(of: key.type) {
      guard let value = value(slot) else { continue }
      if let last = shown[slot], last != value, isOlder(value, than: last), !wasReset(key) {
        ledger.problem("a read goes back: \(key) \(slot) shows \(value) after \(last)")
      }
      shown[slot] = value
    }
  }

  private func isOlder(_ value: String, than shown: String) -> Bool {
    ledger.isOlder(value, than: shown) || server.wasReplaced(value, by: shown)
  }

  // MARK: Deciding

  func discard(_ place: Int, _ random: inout SimRandom) async {
    guard let process = await process(place) else { return }
    let items = await process.perform { data in await data.outbox.outbox().first()?.value ?? [] } ?? []
    guard let item = random.pick(items) else { return }
    await discard(item.number, item.key, process)
  }

  func discard(_ number: OutboxNumber, _ key: ResourceKey, _ process: SimProcess) async {
    ledger.decide(key)
    ledger.hasBegunToDiscard = true
    let result = await process.perform { data -> Result<[OutboxItem], AppError> in
      do throws(AppError) { return .success(try await data.outbox.discard(number, confirmed: true)) } catch {
        return .failure(error)
      }
    }
    switch result {
    case .success(let fallen)?:
      note("\(process.name) discarded \(fallen.map(\.number))")
      ledger.discard(fallen.map(\.number))
      for item in fallen { ledger.decide(item.key) }
    case .failure(let error)?: note("\(process.name) did not discard \(number): \(error.code.rawValue)")
    case nil:
      // It may have happened before the death.
      ledger.discard([number])
      ledger.discardIsUnknown = true
    }
  }

  func decide(_ place: Int, _ random: inout SimRandom) async {
    guard let process = await process(place) else { return }
    let items = await process.perform { data in await data.review.reviewItems().first()?.value ?? [] } ?? []
    guard let item = random.pick(items) else { return }
    await decide(item, process, &random, isLast: false)
  }

  /// Decides about one item in one of the ways that fit it.
  func decide(_ item: ReviewItem, _ process: SimProcess, _ random: inout SimRandom, isLast: Bool) async {
    let fitting: [ReviewDecision] =
      switch item.kind {
      case .conflict: [.keepMine, .keepMine, .keepTheirs, .discard]
      case .deletedRemotely: [.keepMine, .keepTheirs, .discard]
      case .refusal, .halfApplied: isLast ? [.discard] : [.retry, .discard]
      case .doubleMatch: isLast ? [.discard] : [.retry, .discard]
      case .unresolved: isLast ? [.discard] : [.retry, .retry, .discard]
      case .massDisappearance: [.keepTheirs]
      case .likelyDuplicate: isLast ? [.retry] : [.retry, .discard]
      }
    guard let decision = random.pick(fitting) else { return }
    if item.kind == .doubleMatch, !server.hadLateWrites, !server.wasRestored {
      ledger.problem("applied twice: \(item.key) is a double match")
    }
    if decision == .keepMine {
      for element in item.elements { ledger.keep(mine: element.mine?.json ?? "", theirs: element.theirs?.json ?? "") }
    }
    ledger.decide(item.key)
    if decision == .discard { ledger.hasBegunToDiscard = true }
    let number = item.number
    let result = await process.perform { data -> Result<ReviewOutcome, AppError> in
      do throws(AppError) { return .success(try await data.review.decide(number, decision, confirmed: true)) } catch {
        return .failure(error)
      }
    }
    switch result {
    case .success(let outcome)?:
      note("\(process.name) decided \(item.kind.rawValue) \(item.key): \(decision)")
      ledger.discard(outcome.discarded)
    case .failure(let error)?:
      note("\(process.name) could not decide \(item.kind.rawValue) \(item.key) \(decision): \(error.code.rawValue)")
      if error.code != .notFound, error.code != .notAllowed, !isDiskTrouble(error) {
        ledger.problem("a decision failed: \(error.code.rawValue) \(error.message)")
      }
    case nil:
      if let entry = item.entry { ledger.discard([entry]) }
      ledger.discardIsUnknown = true
    }
  }
}
