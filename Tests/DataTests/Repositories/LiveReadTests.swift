@testable import Data
import Domain
import JSON
import MockServer
import TestSupport
import Testing

@Suite("Reads: an answer at once, fresh soon after, honest about its age")
struct LiveReadTests {
  /// A clinic that has just read p-1, whose window is five minutes and seven days.
  private static func clinic() async throws -> TestClinic {
    let clinic = try await TestClinic.open()
    clinic.serverPatient("p-1", phone: "1")
    _ = await clinic.data.patients.patient("p-1", policy: .revalidateAlways).settled()
    clinic.transport.forgetSent()
    return clinic
  }

  /// What a reader sees until no refresh runs.
  private static func answers(
    _ clinic: TestClinic, _ policy: ReadPolicy = .revalidateWhenStale
  ) async -> [Snapshot<Patient>] {
    var seen: [Snapshot<Patient>] = []
    for await answer in clinic.data.patients.patient("p-1", policy: policy) {
      seen.append(answer)
      if answer.revalidation != .running { break }
    }
    return seen
  }

  /// Whether the answers are those of one refresh that went well: it runs, then it does not, and none comes twice.
  private static func isOneRound(_ seen: [Snapshot<Patient>]) -> Bool {
    seen.count > 1 && seen.dropLast().allSatisfy { $0.revalidation == .running } && seen.last?.revalidation == .idle
      && zip(seen, seen.dropFirst()).allSatisfy { $0 != $1 }
  }

  private enum Age: String, CaseIterable { case fresh, stale, expired }

  private static func word(_ freshness: Freshness) -> Age? {
    switch freshness {
    case .missing: nil
    case .fresh: .fresh
    case .stale: .stale
    case .expired: .expired
    }
  }

  @Test(
    "fresh answers ask nothing, stale and expired ones come first and are asked for once; bounds are half-open",
    arguments: [
      (0, "fresh"), (299, "fresh"), (300, "stale"), (604_799, "stale"), (604_800, "expired"), (-10, "stale"),
    ])
  func windows(age: Int64, word: String) async throws {
    let clinic = try await Self.clinic()
    clinic.world.turnClock(seconds: age)
    let seen = await Self.answers(clinic)
    #expect(seen.first.flatMap { Self.word($0.freshness) }?.rawValue == word)
    #expect(seen.allSatisfy { $0.value?.telecom.first?.value == "1" })
    #expect(clinic.transport.sent == (word == "fresh" ? [] : ["GET /fhir/Patient/p-1"]))
    #expect(Self.isOneRound(seen) == (word != "fresh"))
    #expect(seen.last.flatMap { Self.word($0.freshness) } == .fresh)
    await clinic.remove()
  }

  @Test(
    "a refresh that fails keeps the value with its age and the error, ends nothing, and frees its place for the next",
    arguments: [0, 500, 502, 503, 504, 403, 404])
  func failures(status: Int) async throws {
    let clinic = try await Self.clinic()
    clinic.world.advance(seconds: 604_800)
    let portal = #"{"path": "/Patient/p-1", "times": 1, "page": "portal"}"#
    let fault: JSONValue =
      status == 404
      ? try JSONValue(parsing: Array(portal.utf8))
      : ["path": "/Patient/p-1", "times": 1, "status": .number(JSONNumber(max(status, 200)))]
    if status == 0 {
      clinic.transport.plan(.unreachable, times: 1)
    } else {
      clinic.model.add(try MockFault.list(fault))
    }
    let seen = await Self.answers(clinic)
    #expect(seen.allSatisfy { $0.value != nil })
    guard case .failed? = seen.last?.revalidation else {
      Issue.record("no error")
      return
    }
    #expect(seen.last.flatMap { Self.word($0.freshness) } == .expired)
    let next = await Self.answers(clinic)
    #expect(Self.isOneRound(next))
    #expect(next.last.flatMap { Self.word($0.freshness) } == .fresh)
    await clinic.remove()
  }

  @Test(
    "a success that is no answer is a failure, not data",
    arguments: [
      "<html>sign in</html>", "{\"resourceType\":\"Patient\",\"id\":\"p-1\"",
      "{\"resourceType\":\"Patient\",\"id\":\"p-2\"}",
      "{\"resourceType\":\"Bundle\"}", "[]", "",
    ])
  func malformed(body: String) async throws {
    let clinic = try await Self.clinic()
    clinic.world.advance(seconds: 600)
    clinic.model.add(
      try MockFault.list([
        "path": "/Patient/p-1", "times": 1, "status": 200, "body": .string(body),
        "headers": ["Content-Type": "application/fhir+json"],
      ]))
    let seen = await Self.answers(clinic)
    #expect(seen.map { $0.value?.telecom.first?.value } == ["1", "1"])
    guard case .failed? = seen.last?.revalidation else {
      Issue.record("no error")
      return
    }
    await clinic.remove()
  }

  @Test("nothing known: loading, then the answer; or the error, once for each reader and one request for all")
  func missing() async throws {
    let clinic = try await TestClinic.open()
    let seen = await Self.answers(clinic)
    #expect(seen.map { Self.word($0.freshness) } == [nil, nil] && seen.allSatisfy { $0.value == nil })
    guard case .failed(let error)? = seen.last?.revalidation else {
      Issue.record("no error")
      return
    }
    #expect(error.code == .notFound)
    clinic.serverPatient("p-1")
    let found = await Self.answers(clinic)
    #expect(found.first?.value == nil && found.last?.value?.displayName == "Ferrow")
    await clinic.remove()
  }

  @Test("gone at the server: a tombstone; with an edit of ours, a question", arguments: [true, false])
  func gone(isEdited: Bool) async throws {
    let clinic = try await Self.clinic()
    if isEdited { try await clinic.setPhone("2", of: "p-1") }
    clinic.delete("Patient", "p-1")
    let last = await Self.answers(clinic, .revalidateAlways).last
    #expect(last?.isDeleted == true && last?.value?.telecom.first?.value == (isEdited ? "2" : nil))
    #expect(await clinic.review().map(\.kind) == (isEdited ? [.deletedRemotely] : []))
    await clinic.remove()
  }

  @Test("an unchanged record costs an empty answer, and only its age changes; an edit of ours stays over it")
  func notModified() async throws {
    let clinic = try await Self.clinic()
    try await clinic.setPhone("2", of: "p-1")
    clinic.world.advance(seconds: 600)
    let seen = await Self.answers(clinic)
    #expect(seen.allSatisfy { $0.value?.telecom.first?.value == "2" && $0.pendingWrites == 1 })
    let exchange = try #require(clinic.model.exchanges.last)
    #expect(exchange.status == 304 && exchange.headers["if-none-match"] == #"W/"1""#)
    #expect(seen.last.flatMap { Self.word($0.freshness) } == .fresh)
    await clinic.remove()
  }

  @Test("without the document its tag is not sent: an empty answer could confirm nothing")
  func lostBody() async throws {
    let clinic = try await Self.clinic()
    try await clinic.data.store.write { transaction throws(AppError) in
      try transaction.run("UPDATE resource SET base = NULL WHERE id = 'p-1'")
    }
    let last = await Self.answers(clinic, .revalidateAlways).last
    #expect(last?.value?.telecom.first?.value == "1")
    #expect(clinic.model.exchanges.last?.headers["if-none-match"] == nil)
    await clinic.remove()
  }

  @Test("a new version with the same content is taken over as a version, not as news")
  func sameContent() async throws {
    let clinic = try await Self.clinic()
    clinic.change("Patient", "p-1") { _ in }
    let seen = await Self.answers(clinic, .revalidateAlways)
    #expect(seen.last?.serverVersion == clinic.model.resource("Patient", "p-1")?["meta"]?["versionId"]?.string)
    #expect(Set(seen.map(\.value)).count == 1)
    await clinic.remove()
  }

  @Test("an answer to a question from before our accepted write is dropped: what was written never goes back")
  func overtaken() async throws {
    let clinic = try await Self.clinic()
    let (before, mark) = try await clinic.data.store.read { transaction throws(AppError) in
      (try transaction.resource(ResourceKey(type: "Patient", id: "p-1"))?.base, try transaction.readMark())
    }
    try await clinic.setPhone("2", of: "p-1")
    try await clinic.sync(pulls: false)
    let old = ServerDocument(key: ResourceKey(type: "Patient", id: "p-1"), document: try #require(before))
    let arrival = try await clinic.data.store.write { transaction throws(AppError) in
      try transaction.receive(old, asked: mark)
    }
    #expect(arrival == .known)
    #expect(await clinic.patient("p-1")?.telecom.first?.value == "2")
    await clinic.remove()
  }

  @Test("while a write is accepted, no answer shows the old value again, and none shows it both unsent and gone")
  func acknowledged() async throws {
    let clinic = try await Self.clinic()
    try await clinic.setPhone("2", of: "p-1")
    let patients = clinic.data.patients
    let reader = Task {
      var seen: [String] = []
      for await answer in patients.patient("p-1", policy: .localOnly) {
        seen.append("\(answer.value?.telecom.first?.value ?? "-"), \(answer.pendingWrites)")
        if answer.pendingWrites == 0 { break }
      }
      return seen
    }
    try await clinic.sync()
    let seen = await reader.value
    #expect(Set(seen).subtracting(["2, 1", "2, 0"]).isEmpty && seen.last == "2, 0")
    #expect(seen.count == Set(seen).count)
    await clinic.remove()
  }

  @Test("what a reader was shown is on disk: whoever asks next sees at least that")
  func committedFirst() async throws {
    let clinic = try await Self.clinic()
    let patients = clinic.data.patients
    let reader = Task {
      for await answer in patients.patient("p-1", policy: .localOnly) where answer.serverVersion == "3" {
        return await patients.patient("p-1", policy: .localOnly).first()?.serverVersion
      }
      return nil
    }
    clinic.change("Patient", "p-1") { $0["active"] = true }
    clinic.change("Patient", "p-1") { $0["active"] = false }
    _ = await Self.answers(clinic, .revalidateAlways)
    #expect(await reader.value == "3")
    await clinic.remove()
  }

  @Test("a list and the names in it are of one moment")
  func oneMoment() async throws {
    let clinic = try await TestClinic.open()
    clinic.serverPatient("p-1", family: "Old")
    clinic.put(SelectionTests.appointment("a-1", "2026-12-02T09:00:00Z", of: "p-1"))
    try await clinic.sync()
    let appointments = clinic.data.appointments
    let query = AppointmentQuery(span: SelectionTests.day("2026-12-02"))
    let reader = Task {
      var seen: [String] = []
      for await answer in appointments.appointments(matching: query, policy: .localOnly) {
        let entry = answer.value?.first
        seen.append("\(entry?.patient?.displayName ?? "-") \(entry?.appointment.description ?? "-")")
        if entry?.appointment.description == "new" { break }
      }
      return seen
    }
    let (person, entry) = (clinic.model.resource("Patient", "p-1"), clinic.model.resource("Appointment", "a-1"))
    var documents = [try #require(person), try #require(entry)]
    documents[0]["name"] = [["family": "New"]]
    documents[1]["description"] = "new"
    for index in documents.indices { documents[index]["meta"] = ["versionId": "9"] }
    let arrived = documents
    try await clinic.data.store.write { transaction throws(AppError) in
      for document in arrived {
        let key = ResourceKey(type: document["resourceType"]?.string ?? "", id: document["id"]?.string ?? "")
        _ = try transaction.receive(ServerDocument(key: key, document: document))
      }
    }
    #expect(Set(await reader.value).subtracting(["Old -"]) == ["New new"])
    await clinic.remove()
  }

  @Test("a refreshed list keeps what was made here, hides what was deleted here, and sorts what was changed here")
  func overlay() async throws {
    let clinic = try await TestClinic.open()
    clinic.serverPatient("p-1", family: "Ferrow")
    for (id, hour) in [("a-1", "09"), ("a-2", "10"), ("a-3", "11")] {
      clinic.put(SelectionTests.appointment(id, "2026-12-01T\(hour):00:00Z", of: "p-1"))
    }
    try await clinic.sync()
    let receipt = try await clinic.book("p-1")
    _ = try await clinic.data.appointments.edit("a-1", allowingOverlap: true) { appointment in
      appointment.start = Instant("2026-12-01T12:00:00Z")
      appointment.end = Instant("2026-12-01T12:20:00Z")
    }
    let context = WriteContext(author: clinic.data.author, action: "x")
    _ = try await clinic.data.store.write { transaction throws(AppError) in
      try transaction.delete(
        try transaction.visibleResource(ResourceKey(type: "Appointment", id: "a-2")), summary: "delete", context)
    }
    clinic.change("Appointment", "a-3") { $0["description"] = "news" }
    let answer = await SelectionTests.schedule(clinic, "2026-12-01", .revalidateAlways)
    #expect(answer?.value?.map(\.id.rawValue) == [receipt.key.id, "a-3", "a-1"])
    #expect(answer?.value?[1].appointment.description == "news" && answer?.pendingWrites == 2)
    await clinic.remove()
  }

  @Test("a local write reaches the lists that it touches, in every reader, without a request")
  func dependents() async throws {
    let clinic = try await Self.clinic()
    let patients = clinic.data.patients
    let reader = Task {
      for await answer in patients.patients(matching: PatientQuery(text: "quist"), policy: .localOnly)
      where answer.value?.isEmpty == false { return answer.pendingWrites }
      return 0
    }
    _ = try await clinic.register(family: "Quist")
    #expect(await reader.value == 1)
    #expect(clinic.transport.sent == [])
    await clinic.remove()
  }

  @Test("one of two readers leaves: the other gets the answer, and leaving is no error")
  func oneLeaves() async throws {
    let clinic = try await Self.clinic()
    clinic.world.advance(seconds: 600)
    let patients = clinic.data.patients
    let leaving = Task { await patients.patient("p-1", policy: .revalidateAlways).settled() }
    let staying = Task { await patients.patient("p-1", policy: .revalidateAlways).settled() }
    leaving.cancel()
    _ = await leaving.value
    let answer = await staying.value
    #expect(answer?.revalidation == .idle && answer.flatMap { Self.word($0.freshness) } == .fresh)
    #expect(await Self.answers(clinic).map(\.revalidation) == [.idle])
    await clinic.remove()
  }

  @Test("what is queued goes before anything is pulled")
  func pushFirst() async throws {
    let clinic = try await Self.clinic()
    try await clinic.setPhone("2", of: "p-1")
    try await clinic.sync()
    let sent = clinic.transport.sent.filter { !$0.contains("metadata") }
    let put = try #require(sent.firstIndex { $0.hasPrefix("PUT") })
    #expect(sent[..<put].allSatisfy { $0 == "GET /fhir/Patient/p-1" })
    await clinic.remove()
  }

  @Test("a sync pulls every scope once: an outage that ends twice makes no second round")
  func oneRound() async throws {
    let clinic = try await TestClinic.open()
    clinic.serverPatient("p-1")
    async let first = clinic.sync()
    async let second = clinic.sync()
    _ = try await (first, second)
    let whole = clinic.transport.sent.filter { $0.contains("/Practitioner?") }
    #expect(whole.count <= 2)
    await clinic.remove()
  }
}
