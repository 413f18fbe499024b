import Data
import Domain
import JSON
import MockServer

extension SimWorld {
  /// Looks into the store.
  func checkStore() {
    for problem in SimStoreCheck(directory: directory).problems { ledger.problem(problem) }
  }

  /// How many rounds of signing in, syncing and deciding a world may need to come to rest.
  private static let rounds = 24

  /// Calms the network, lets everybody sign in and decide until nothing is left, and compares.
  func settle() async {
    note("calm")
    let calm = scheduler.now
    network.weather = SimWeather()
    healDisk()
    syncDelay = 0
    server.model.removeFaults()
    await stop(0)
    await stop(1)
    await wait(60_000)
    var random = SimRandom(seed: seed, stream: 6)
    var isAtRest = false
    var end: SimStoreCheck?
    for round in 0..<Self.rounds where !isAtRest && ledger.problems.isEmpty {
      isAtRest = true
      for author in authors {
        guard let process = await start(0, author) else { return }
        let report = await report(of: process, SyncOptions())
        if report?.outcome != .complete { isAtRest = false }
        let items = await process.perform { data in await data.review.reviewItems().first()?.value ?? [] } ?? []
        for item in items { await decide(item, process, &random, isLast: round > 8) }
        await stop(0)
      }
      // Who opens a record may learn that the server went back to a backup, and that is put to a person.
      if isAtRest {
        end = await revisit()
        isAtRest = end?.outboxCount == 0
      }
      if !isAtRest { await wait(random.int(20_000...120_000)) }
    }
    guard ledger.problems.isEmpty else { return }
    if !isAtRest { ledger.problem("no rest: something is left after \(Self.rounds) rounds in a calm network") }
    if scheduler.now - calm > Self.longestRest { ledger.problem("no rest: it took \(scheduler.now - calm) ms") }
    compare((isAtRest ? end : nil) ?? SimStoreCheck(directory: directory))
  }

  /// More writes than a program has cancellations and retractions, of which the ledger keeps no account.
  private static let unlisted = 60

  /// In how much virtual time a calm world comes to rest, in milliseconds.
  private static let longestRest: Int64 = 3 * 3_600_000

  private func compare(_ check: SimStoreCheck) {
    for problem in check.problems { ledger.problem(problem) }
    let entries = Set(ledger.writes.flatMap(\.entries)).count
    for problem in check.growth(
      records: Set(server.versions.map(\.key)).count + ledger.writes.count { $0.isCreate },
      writes: max(entries, ledger.writes.count) + Self.unlisted,
      decisions: Int64(ledger.decisions + ledger.discarded.count) * 2)
    {
      ledger.problem(problem)
    }
    if check.outboxCount > 0 { ledger.problem("\(check.outboxCount) entries are left in the outbox") }
    for write in ledger.writes {
      note(
        "write \(write.index) \(write.token) saw \(write.saw ?? "-") ack=\(write.isAcknowledged) failed=\(write.failed)"
      )
    }
    for write in ledger.lost(applied: server.appliedTokens) where !ledger.discardIsUnknown {
      ledger.problem(
        "lost: \(write.token) in \(write.slot) of \(write.record) over \(write.saw ?? "nothing"), entries \(write.entries)"
      )
    }
    compareDocuments(check)
    for row in check.rows { note("row \(row.key) \(row.state) \(row.view?.text() ?? "-")") }
  }

  /// Whether the client can know that the server's histories tell of deletions.
  private var tellsDeletions: Bool { profile.keepsHistory.contains(.type) && profile.metadata == .statement }

  /// Opens records of whose deletion no list tells: where no history is offered; and records made here that were gone
  /// before the first pull of their type.
  ///
  /// - Returns: the store after that; `nil` when it could not be opened.
  private func revisit() async -> SimStoreCheck? {
    let ours = Set(server.madeFor.values.flatMap(\.self)).union(untold)
    let tells = tellsDeletions && !server.wasRestored
    let check = SimStoreCheck(directory: directory)
    let rows = check.rows.filter { $0.state == 1 && (!tells || ours.contains($0.key)) }
    guard !rows.isEmpty else { return check }
    guard let process = await start(0, authors[0]) else { return nil }
    for key in rows.map(\.key) {
      _ = await process.perform { data in
        switch key.type {
        case "Patient": _ = await data.patients.patient(Patient.ID(key.id), policy: .revalidateAlways).settled()
        case "Appointment":
          _ = await data.appointments.appointment(Appointment.ID(key.id), policy: .revalidateAlways).settled()
        case "Observation":
          _ = await data.observations.observation(ClinicalObservation.ID(key.id), policy: .revalidateAlways).settled()
        default: break
        }
      }
    }
    await stop(0)
    return SimStoreCheck(directory: directory)
  }

  /// A document with references as the server keeps them: some give them as absolute ones.
  private func relative(_ document: JSONValue) -> JSONValue {
    guard profile.absoluteReferences else { return document }
    let text = document.text().replacing("\"\(SimServer.base)/", with: "\"")
    return (try? JSONValue(parsing: Array(text.utf8))) ?? document
  }

  /// Whether a record came of a create that arrived after its client had given it up and made it anew.
  private func isLateTwin(_ key: ResourceKey) -> Bool {
    server.lateCreates.contains(key.id) && server.madeFor[key.id]?.contains { $0 != key } ?? false
  }

  private func compareDocuments(_ check: SimStoreCheck) {
    let local = Dictionary(check.rows.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
    for type in ["Patient", "Appointment", "Observation"] {
      for document in server.model.resources(type) {
        let key = ResourceKey(type: type, id: document["id"]?.string ?? "")
        guard let row = local[key], row.state == 1 else {
          if !server.wasRestored, !isLateTwin(key) { ledger.problem("\(key) is at the server and not here") }
          continue
        }
        if row.view.map({ !relative($0).meansTheSame(as: relative(document)) }) ?? true, !server.wasRestored {
          ledger.problem(
            "\(key) differs: here \(row.view?.text() ?? "-"), at the server \(document.text())")
        }
      }
    }
    for row in check.rows where row.state == 1 && server.model.resource(row.key.type, row.key.id) == nil {
      if server.wasRestored { continue }
      if ["Patient", "Appointment", "Observation"].contains(row.key.type) {
        ledger.problem("\(row.key) is here and not at the server")
      }
    }
    for row in check.rows where row.state == 0 && row.isVisible {
      ledger.problem("\(row.key) is visible here, and the server never had it")
    }
  }
}
