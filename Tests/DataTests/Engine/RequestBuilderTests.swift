@testable import Data
import Domain
import JSON
import TestSupport
import Testing

@Suite("Requests: every write carries what makes it safe to repeat")
struct RequestBuilderTests {
  private static let create = ResolutionTests.entry(.create(["resourceType": "Patient", "id": "p"]))
  private static let update = ResolutionTests.update
  private static let delete = ResolutionTests.entry(.delete)

  private static var takesIDs: ServerKnowledge {
    var server = ServerKnowledge()
    server.capabilities = ServerCapabilities()
    server.capabilities?.types["Patient"] = TypeCapabilities()
    server.capabilities?.types["Patient"]?.updateCreate = true
    return server
  }

  private func request(_ entry: OutboxEntry, etag: String? = nil, server: ServerKnowledge = takesIDs) -> Attempt? {
    RequestBuilder.attempt(for: entry, base: ResolutionTests.base, etag: etag, server: server, id: "try-1")
  }

  private func line(_ attempt: Attempt?) -> String {
    guard let attempt else { return "nothing" }
    let conditions = ["If-Match", "If-None-Exist"].compactMap { name in
      attempt.headers[name].map { "\(name): \($0)" }
    }
    return (["\(attempt.method.name) \(attempt.target)"] + conditions).joined(separator: ", ")
  }

  @Test("a create names our id, or asks for a record that carries it")
  func creates() throws {
    var refusing = Self.takesIDs
    refusing.refusesClientIDs = ["Patient"]
    let (put, post) = (request(Self.create), request(Self.create, server: refusing))
    #expect(line(put) == "PUT Patient/p")
    #expect(line(post) == "POST Patient, If-None-Exist: identifier=urn:ietf:rfc:3986%7Curn:uuid:p")
    #expect(line(request(Self.create, server: ServerKnowledge())) == line(post))
    let document = try JSONValue(parsing: post?.body ?? [])
    #expect(document["id"] == nil && RequestBuilder.localIDs(of: document) == ["p"])
  }

  @Test("an update and a delete name the version that they were merged with, whatever arrived since")
  func preconditions() {
    let table: [(etag: String?, condition: String)] = [
      (nil, #"W/"1""#), (#"W/"1""#, #"W/"1""#), (#""1""#, #""1""#), (#"W/"2""#, #"W/"1""#), ("odd", #"W/"1""#),
    ]
    for (etag, condition) in table {
      #expect(line(request(Self.update, etag: etag)) == "PUT Patient/p, If-Match: \(condition)")
      #expect(line(request(Self.delete, etag: etag)) == "DELETE Patient/p, If-Match: \(condition)")
    }
  }

  @Test("an update without a base has nothing to send")
  func withoutBase() {
    #expect(
      RequestBuilder.attempt(for: Self.update, base: nil, etag: nil, server: Self.takesIDs, id: "try-1") == nil)
  }

  @Test("an answer settles the attempt that it belongs to, and no other")
  func otherAttempt() async throws {
    let clinic = try await TestClinic.open()
    let id = try await clinic.register(family: "Ferrow")
    let number = try #require(await clinic.outbox().first?.number)
    let states = try await clinic.data.store.write { transaction throws(AppError) in
      guard let entry = try transaction.outboxEntry(number),
        let attempt = RequestBuilder.attempt(for: entry, base: nil, etag: nil, server: ServerKnowledge(), id: "try-2")
      else { return [OutboxEntry.State?]() }
      try transaction.claim(entry, attempt)
      let document: JSONValue = ["resourceType": "Patient", "id": .string(id.rawValue)]
      return try ["try-1", "try-2"].map { name throws(AppError) in
        let accepted = Settlement.accepted(
          number, document: document, version: "1", etag: nil, serverID: nil, how: "accepted")
        try transaction.settle(accepted, attempt: name)
        return try transaction.outboxEntry(number)?.state
      }
    }
    #expect(states == [.sending, nil])
    await clinic.remove()
  }
}
