import Data
import JSON
import Testing

@Suite("Three-way merge: what was changed on both sides is for a person")
struct ThreeWayMergeTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var type = "Patient"
    var base: JSONValue
    var mine: JSONValue
    var theirs: JSONValue
    /// The document after the merge; `nil` for a conflict.
    var merged: JSONValue?
    var disputes: [String] = []
    var isAlreadyThere = false

    init(
      _ name: String, type: String = "Patient", _ base: JSONValue, _ mine: JSONValue, _ theirs: JSONValue,
      merged: JSONValue? = nil, disputes: [String] = [], alreadyThere: Bool = false
    ) {
      (testDescription, self.type, self.base, self.mine, self.theirs) = (name, type, base, mine, theirs)
      (self.merged, self.disputes, isAlreadyThere) = (merged, disputes, alreadyThere)
    }
  }

  static let phone: JSONValue = ["telecom": [["system": "phone", "use": "home", "value": "1"]]]
  static func telecom(_ values: (String, String)...) -> JSONValue {
    ["telecom": .array(values.map { ["system": "phone", "use": .string($0.0), "value": .string($0.1)] })]
  }
  static let booked: JSONValue = ["status": "booked", "start": "a", "end": "b", "minutesDuration": 30]

  static let cases: [Case] = [
    Case(
      "only ours changed it", ["a": 1, "b": 1], ["a": 2, "b": 1], ["a": 1, "b": 1, "c": 1],
      merged: ["a": 2, "b": 1, "c": 1]),
    Case("both changed it alike", ["a": 1], ["a": 2], ["a": 2, "b": 9], alreadyThere: true),
    Case("both changed it differently", ["a": 1], ["a": 2], ["a": 3], disputes: ["a"]),
    Case(
      "the server spells a number anew", ["a": .number(JSONNumber("1.50") ?? JSONNumber(0)), "b": 1],
      ["a": .number(JSONNumber("1.50") ?? JSONNumber(0)), "b": 2],
      ["a": .number(JSONNumber("1.5") ?? JSONNumber(0)), "b": 1],
      merged: ["a": .number(JSONNumber("1.5") ?? JSONNumber(0)), "b": 2]),
    Case(
      "our number came back in another spelling", ["a": 1], ["a": .number(JSONNumber("2.0") ?? JSONNumber(0))],
      ["a": 2], alreadyThere: true),
    Case("ours removed what theirs changed", ["a": 1, "b": 1], ["b": 1], ["a": 2, "b": 1], disputes: ["a"]),
    Case("both removed it", ["a": 1, "b": 1], ["b": 1], ["b": 1], alreadyThere: true),
    Case("ours changed what theirs removed", ["a": 1], ["a": 2], [:], disputes: ["a"]),
    Case(
      "another item of the same list", telecom(("home", "1")), telecom(("home", "2")),
      telecom(("home", "1"), ("work", "7")), merged: telecom(("home", "2"), ("work", "7"))),
    Case(
      "the same item of a list", telecom(("home", "1")), telecom(("home", "2")), telecom(("home", "3")),
      disputes: ["telecom[phone,home]"]),
    Case(
      "an item that we appended is already there", telecom(("home", "1")), telecom(("home", "1"), ("work", "2")),
      telecom(("home", "1"), ("work", "2"), ("mobile", "3")), alreadyThere: true),
    Case(
      "an item that theirs appended too, differently", telecom(("home", "1")), telecom(("home", "1"), ("work", "2")),
      telecom(("home", "1"), ("work", "3")), disputes: ["telecom[phone,work]"]),
    Case(
      "the list was put in another order", telecom(("home", "1"), ("work", "2")), telecom(("home", "9"), ("work", "2")),
      telecom(("work", "2"), ("home", "1")), merged: telecom(("work", "2"), ("home", "9"))),
    Case(
      "a primitive and its companion are one", ["birthDate": "1980"], ["birthDate": "1981"],
      ["birthDate": "1980", "_birthDate": ["id": "x"]], disputes: ["birthDate", "_birthDate"]),
    Case(
      "start and end are one", type: "Appointment", booked,
      ["status": "booked", "start": "c", "end": "d", "minutesDuration": 30],
      ["status": "booked", "start": "a", "end": "e", "minutesDuration": 60],
      disputes: ["start", "end", "minutesDuration"]),
    Case(
      "status and reason are one", type: "Appointment", booked,
      ["status": "cancelled", "start": "a", "end": "b", "minutesDuration": 30, "cancelationReason": ["text": "ours"]],
      ["status": "arrived", "start": "a", "end": "b", "minutesDuration": 30],
      disputes: ["status", "cancelationReason"]),
    Case(
      "time and status are two", type: "Appointment", booked,
      ["status": "arrived", "start": "a", "end": "b", "minutesDuration": 30],
      ["status": "booked", "start": "c", "end": "d", "minutesDuration": 30],
      merged: ["status": "arrived", "start": "c", "end": "d", "minutesDuration": 30]),
    Case(
      "a value and its absence are one", type: "Observation", ["status": "final", "valueString": "a"],
      ["status": "final", "valueString": "b"],
      ["status": "final", "dataAbsentReason": ["text": "error"]],
      disputes: ["valueString", "dataAbsentReason"]),
    Case(
      "what neither side knows is kept", ["a": 1, "future": ["x": [1, 2]]], ["a": 2, "future": ["x": [1, 2]]],
      ["a": 1, "future": ["x": [1, 2], "y": true]], merged: ["a": 2, "future": ["x": [1, 2], "y": true]]),
  ]

  @Test("an edit meets another version", arguments: cases)
  func update(_ example: Case) {
    let edits = PatchDiff.edits(from: example.base, to: example.mine)
    let outcome = ThreeWayMerge.merge(.update(edits), type: example.type, from: example.base, to: example.theirs)
    switch outcome {
    case .clean(let patch):
      #expect(patch.apply(to: example.theirs)?.sortedLists == example.merged?.sortedLists)
      // The same again on what came of it: nothing is left to say.
      #expect(
        ThreeWayMerge.merge(patch, type: example.type, from: example.theirs, to: example.merged) == .alreadyThere)
    case .alreadyThere: #expect(example.isAlreadyThere)
    case .conflict(let disputes):
      #expect(Set(disputes.map(\.path.description)) == Set(example.disputes))
    case .deletedRemotely: Issue.record("nobody deleted it")
    }
    let isExpected =
      switch outcome {
      case .clean: example.merged != nil
      case .alreadyThere: example.isAlreadyThere
      case .conflict: !example.disputes.isEmpty
      case .deletedRemotely: false
      }
    #expect(isExpected, "\(outcome)")
  }

  @Test("the order in which edits are listed changes nothing", arguments: 0..<20)
  func commutes(seed: UInt64) {
    var random = RandomDocuments(seed: seed &+ 99)
    let (base, mine, theirs) = (random.patient(), random.patient(), random.patient())
    let edits = PatchDiff.edits(from: base, to: mine)
    func outcome(_ edits: [ElementEdit]) -> String {
      switch ThreeWayMerge.merge(.update(edits), type: "Patient", from: base, to: theirs) {
      case .clean(let patch): patch.apply(to: theirs)?.sortedLists.text() ?? ""
      case .conflict(let disputes): disputes.map(\.path.description).sorted().joined(separator: " ")
      case .alreadyThere: "already there"
      case .deletedRemotely: "deleted"
      }
    }
    #expect(outcome(edits) == outcome(edits.reversed()))
  }

  @Test("deletions on either side")
  func deletions() {
    let base: JSONValue = ["a": 1, "meta": ["versionId": "1"]]
    let edit = Patch.update(PatchDiff.edits(from: base, to: ["a": 2, "meta": ["versionId": "1"]]))
    #expect(ThreeWayMerge.merge(edit, type: "Patient", from: base, to: nil) == .deletedRemotely)
    #expect(ThreeWayMerge.merge(.delete, type: "Patient", from: base, to: nil) == .alreadyThere)
    #expect(
      ThreeWayMerge.merge(.delete, type: "Patient", from: base, to: ["a": 1, "meta": ["versionId": "2"]])
        == .clean(.delete))
    guard case .conflict = ThreeWayMerge.merge(.delete, type: "Patient", from: base, to: ["a": 5]) else {
      Issue.record("a delete over an edit of others must be asked about")
      return
    }
  }
}
