@testable import Data
import Domain
import JSON
import Testing

@Suite("Resolution: what became of a write whose answer was lost")
struct ResolutionTests {
  static func document(_ phone: String, version: String, city: String? = nil) -> JSONValue {
    var document: JSONValue = [
      "resourceType": "Patient", "id": "p", "meta": ["versionId": .string(version)],
      "telecom": [["system": "phone", "use": "home", "value": .string(phone)]],
    ]
    if let city { document["address"] = [["city": .string(city)]] }
    return document
  }

  static let base = document("1", version: "1")
  static func entry(_ patch: Patch) -> OutboxEntry {
    let kind: OutboxEntry.Kind =
      switch patch {
      case .create: .create
      case .update: .update
      case .delete: .delete
      }
    return OutboxEntry(
      number: 1, entry: "e", action: "a", author: .operatingSystemUser("nora"),
      key: ResourceKey(type: "Patient", id: "p"), kind: kind, patch: patch, baseVersion: "1", state: .ambiguous,
      reason: nil, summary: "", written: "", attempts: 0, notBefore: nil, ambiguousSince: nil, wasSent: true,
      refusedVersion: nil, attempt: nil)
  }
  static let update = entry(.update(PatchDiff.edits(from: base, to: document("2", version: "1"))))

  struct Case: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var entry: OutboxEntry
    var current: JSONValue?
    var hasHistory = true
    var verdict: Resolution.Verdict
  }

  static let cases: [Case] = [
    Case(
      testDescription: "it is there", entry: update, current: document("2", version: "2"),
      verdict: .applied(document("2", version: "2"))),
    Case(
      testDescription: "it is there, below an edit of others", entry: update,
      current: document("2", version: "3", city: "X"), verdict: .applied(document("2", version: "3", city: "X"))),
    Case(testDescription: "nothing happened", entry: update, current: base, verdict: .notApplied),
    Case(
      testDescription: "others were quicker", entry: update, current: document("1", version: "2", city: "X"),
      verdict: .needsHistory(document("1", version: "2", city: "X"))),
    Case(
      testDescription: "others were quicker, without history", entry: update, current: document("1", version: "2"),
      hasHistory: false,
      verdict: .undecidable(
        "its answer was lost, and the record was changed at the server since", theirs: document("1", version: "2"))),
    Case(testDescription: "the record is gone", entry: update, current: nil, verdict: .gone),
    Case(testDescription: "a delete that worked", entry: entry(.delete), current: nil, verdict: .deletionApplied),
    Case(testDescription: "a delete that did not", entry: entry(.delete), current: base, verdict: .notApplied),
    Case(
      testDescription: "a delete over an edit of others", entry: entry(.delete), current: document("7", version: "2"),
      verdict: .movedOn(document("7", version: "2"))),
    Case(testDescription: "a create that worked", entry: entry(.create(base)), current: base, verdict: .applied(base)),
  ]

  @Test("by the current document", arguments: cases)
  func current(_ example: Case) {
    #expect(
      Resolution.judge(example.entry, base: Self.base, current: example.current, hasHistory: example.hasHistory)
        == example.verdict)
  }

  @Test("by the versions in between")
  func history() {
    let taken = Self.document("1", version: "3")
    let ours = Self.document("2", version: "2")
    func judge(_ current: JSONValue, _ versions: [JSONValue], complete: Bool = true) -> Resolution.Verdict {
      Resolution.judge(Self.update, base: Self.base, current: current, versions: versions, isComplete: complete)
    }
    #expect(
      judge(taken, [taken, ours])
        == .undecidable("it reached the server, and somebody changed it back since", theirs: taken))
    let moved = Self.document("5", version: "3")
    #expect(judge(moved, [moved, ours]) == .applied(moved))
    #expect(judge(moved, [moved]) == .movedOn(moved))
    guard case .undecidable = judge(moved, [moved], complete: false) else {
      Issue.record("a history that does not reach back proves nothing")
      return
    }
  }

  @Test("a create is judged by how many records carry its identifier", arguments: 0...3)
  func creates(count: Int) {
    let found = Array(repeating: Self.base, count: count)
    let expected: Resolution.Verdict = count == 0 ? .notApplied : count == 1 ? .applied(Self.base) : .manyMatches(count)
    #expect(Resolution.judge(found: found) == expected)
  }
}
