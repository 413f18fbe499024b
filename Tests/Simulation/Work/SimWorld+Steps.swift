import Data
import Domain
import JSON
import MockServer

extension SimWorld {
  /// Takes one step of a program.
  func take(_ step: SimStep) async {
    var random = SimRandom(seed: step.seed)
    let place = processCount == 2 && random.chance(0.4) ? 1 : 0
    note("step \(step.number) \(step.kind.rawValue)")
    switch step.kind {
    case .register, .book, .record, .editPhone, .editCity, .editFamily, .editComment, .move, .editValue, .editNote,
      .cancel, .retract:
      await write(step, place, &random)
    case .discard: await discard(place, &random)
    case .decide: await decide(place, &random)
    case .sync: await sync(place, SyncOptions(retriesNow: random.chance(0.7)), waits: random.chance(0.5))
    case .push: await sync(place, SyncOptions(pulls: false), waits: random.chance(0.5))
    case .pull: await sync(place, SyncOptions(pushes: false), waits: step.number == 0 || random.chance(0.6))
    case .hurriedSync:
      await sync(place, SyncOptions(maximumTime: .milliseconds(random.int(100...20_000))), waits: true)
    case .background: await startBackground(place)
    case .look, .open, .search: await read(step, place, &random)
    case .restart:
      await stop(place)
      _ = await process(place)
    case .otherUser:
      await stop(place)
      if let author = random.pick(authors) { _ = await start(place, author) }
    case .crash: crash(place)
    case .crashSoon:
      _ = await process(place)
      crashSoon(place, jobs: random.int(1...250))
    case .powerCut: cutPower(&random)
    case .checkpoint:
      guard let process = await process(place) else { return }
      let result = await process.perform { data in (try? await data.store.checkpoint()) ?? false } ?? false
      note("\(process.name) took a checkpoint: \(result ? "all" : "not all") was copied")
    case .killInWrite, .diskFull, .diskFree, .diskSlow, .diskFails: await trouble(step.kind, place, &random)
    case .signOut:
      let author = processes[place]?.author ?? authors[0]
      await stop(place)
      network.weather.signedOut.insert(author.subject)
    case .signIn: network.weather.signedOut = []
    case .cutOff: network.weather.cutOff = [place]
    case .halfOpen: network.weather.isHalfOpen = true
    case .clockLeaps:
      let days = random.pick([1, 40, 400, 3_650]) ?? 1
      machine.turnClock(milliseconds: Int64(random.chance(0.5) ? days : -days) * 86_400_000)
    case .searchLags: server.model.profile.searchLagSeconds = random.int(5...14)
    case .siteEdit: siteEdit(step, &random)
    case .siteCreate:
      let key = ResourceKey(type: "Patient", id: "s-\(step.number)")
      if case .allowed = profile.clientIds {
        server.bySite("PUT", "/fhir/\(key)", sitePatient(step, id: key.id))
        known.append(key)
      } else {
        server.bySite("POST", "/fhir/Patient", sitePatient(step, id: nil))
      }
    case .siteDelete: siteDelete(&random)
    case .backup: server.snapshot()
    case .restore:
      note("the server is restored from a backup")
      server.restore()
    case .networkDown: network.weather.isDown = true
    case .networkUp:
      network.weather.isDown = false
      network.weather.hasPortal = false
      network.weather.isHalfOpen = false
      network.weather.cutOff = []
    case .portal: network.weather.hasPortal = true
    case .weather:
      let old = network.weather
      var new = SimWeather.drawn(&random)
      if weather.arrivesLate == 0 { new.arrivesLate = 0 }
      (new.isDown, new.hasPortal, new.isHalfOpen) = (old.isDown, old.hasPortal, old.isHalfOpen)
      (new.cutOff, new.signedOut) = (old.cutOff, old.signedOut)
      network.weather = new
    case .turnClock: machine.turnClock(milliseconds: Int64(random.int(-3_600_000...3_600_000)))
    case .wait: await wait(random.int(1_000...180_000))
    case .check: checkStore()
    }
  }

  // MARK: Other sites

  private func sitePatient(_ step: SimStep, id: String?) -> JSONValue {
    var document: JSONValue = [
      "resourceType": "Patient", "name": [["family": .string("site-family-\(step.number)")]],
      "telecom": [["system": "phone", "use": "home", "value": .string("site-phone-\(step.number)")]],
      "address": [["use": "home", "city": .string("site-city-\(step.number)")]],
    ]
    if let id { document["id"] = .string(id) }
    return document
  }

  private func siteEdit(_ step: SimStep, _ random: inout SimRandom) {
    let type = random.pick(weighted: [("Patient", 6), ("Appointment", 2), ("Observation", 2)])
    guard var document = random.pick(server.model.resources(type)) else { return }
    let version = document["meta"]?["versionId"]?.string
    let token = "site-\(step.number)"
    switch type {
    case "Patient":
      switch random.int(0...3) {
      case 0, 1:
        var telecom = document["telecom"]?.array ?? []
        let item: JSONValue = ["system": "phone", "use": "home", "value": .string(token)]
        if telecom.isEmpty { telecom = [item] } else { telecom[0]["value"] = .string(token) }
        document["telecom"] = .array(telecom)
      case 2: document["address"] = [["use": "home", "city": .string(token)]]
      default: document["name"] = [["family": .string(token)]]
      }
    case "Appointment":
      if random.chance(0.5) {
        document["comment"] = .string(token)
      } else {
        document["start"] = .string("2028-02-01T10:\(step.number % 60 < 10 ? "0" : "")\(step.number % 60):00Z")
        document["end"] = "2028-02-01T12:00:00Z"
      }
    default:
      if random.chance(0.5) {
        document["note"] = [["text": .string(token)]]
      } else {
        document["valueQuantity"] = ["value": .number(JSONNumber(5_000 + step.number)), "unit": "/min"]
      }
    }
    let id = document["id"]?.string ?? ""
    server.bySite("PUT", "/fhir/\(type)/\(id)", document, ifMatch: version.map { "W/\"\($0)\"" })
  }

  private func siteDelete(_ random: inout SimRandom) {
    let type = random.pick(weighted: [("Patient", 2), ("Appointment", 1), ("Observation", 2)])
    guard let document = random.pick(server.model.resources(type)), let id = document["id"]?.string else { return }
    let version = document["meta"]?["versionId"]?.string
    if !SimStoreCheck.wasPulled(type, directory: directory) {
      untold.insert(ResourceKey(type: type, id: id))
    }
    server.bySite("DELETE", "/fhir/\(type)/\(id)", ifMatch: version.map { "W/\"\($0)\"" })
  }

  // MARK: Syncing

  func sync(_ place: Int, _ options: SyncOptions, waits: Bool) async {
    guard let process = await process(place) else { return }
    let done = SimOnce<Void>()
    _ = Task(executorPreference: lane) { [self] in
      _ = await report(of: process, options)
      done.finish(())
    }
    if waits { await done.value() }
  }

  /// Syncs and gives the report; `nil` when the process died or another one syncs.
  @discardableResult
  func report(of process: SimProcess, _ options: SyncOptions) async -> SyncReport? {
    process.syncs += 1
    if process.syncsSince == nil { process.syncsSince = scheduler.now }
    let result = await process.perform { data -> Result<SyncReport, AppError> in
      do throws(AppError) { return .success(try await data.sync.sync(options, progress: { _ in })) } catch {
        return .failure(error)
      }
    }
    process.syncs -= 1
    if process.syncs == 0 { process.syncsSince = nil }
    switch result {
    case .success(let report)?:
      note("\(process.name) synced \(Self.word(report.outcome)) unsent=\(report.unsent) review=\(report.inReview)")
      return report
    case .failure(let error)?:
      note("\(process.name) did not sync \(error.code.rawValue)")
      if ![.syncRunning, .cancelled].contains(error.code), !isDiskTrouble(error) {
        ledger.problem("sync failed: \(error.code.rawValue) \(error.message)")
      }
      return nil
    case nil: return nil
    }
  }

  static func word(_ outcome: SyncReport.Outcome) -> String {
    switch outcome {
    case .complete: "complete"
    case .needsReview: "needs-review"
    case .unreachable: "unreachable"
    case .throttled: "throttled"
    case .unfinished: "unfinished"
    case .signInNeeded: "sign-in-needed"
    }
  }

  private func startBackground(_ place: Int) async {
    guard processCount == 1, let process = await process(place), !process.syncsInBackground else { return }
    process.syncsInBackground = true
    process.background = await process.perform { data in data.startBackgroundWork() }
  }
}
