import Data
import JSON
import TestSupport
import Testing

@Suite("Patches: what changed, and nothing else")
struct PatchTests {
  @Test("the edits between two documents turn one into the other, applied once or twice", arguments: 0..<40)
  func roundTrip(seed: UInt64) throws {
    var random = RandomDocuments(seed: seed &* 7919 &+ 1)
    for _ in 0..<25 {
      let (old, new) = (random.patient(), random.patient())
      let edits = PatchDiff.edits(from: old, to: new)
      let once = edits.apply(to: old)
      // The order of list items that have identities is no part of what is edited.
      #expect(once.sortedLists == new.sortedLists, "\(old.text()) → \(new.text()) gave \(once.text())")
      let stored = try #require(Patch(json: JSONValue(parsing: Patch.update(edits).json.bytes())))
      #expect([edits.apply(to: once), stored.apply(to: old)] == [once, once])
    }
  }

  @Test("an edit of one list item leaves its neighbours alone, also those that the other side added")
  func listItems() {
    let old: JSONValue = [
      "resourceType": "Patient",
      "telecom": [["system": "phone", "use": "home", "value": "1"], ["system": "email", "value": "a@b"]],
    ]
    let new: JSONValue = [
      "resourceType": "Patient",
      "telecom": [["system": "phone", "use": "home", "value": "2"], ["system": "email", "value": "a@b"]],
    ]
    let edits = PatchDiff.edits(from: old, to: new)
    #expect(edits.map(\.path.description) == ["telecom[phone,home].value"])
    let theirs: JSONValue = [
      "resourceType": "Patient",
      "telecom": [
        ["system": "phone", "use": "work", "value": "9"], ["system": "phone", "use": "home", "value": "1"],
      ],
    ]
    let merged = edits.apply(to: theirs)
    #expect(merged["telecom"]?.array?.compactMap { $0["value"]?.string } == ["9", "2"])
  }

  @Test("a list in which two items look the same is one element")
  func ambiguousList() {
    let old: JSONValue = ["name": [["use": "official", "family": "A"], ["use": "official", "family": "B"]]]
    let new: JSONValue = ["name": [["use": "official", "family": "A"]]]
    #expect(PatchDiff.edits(from: old, to: new).map(\.path.description) == ["name"])
  }

  @Test("the companions of primitives are edited on their own, and fall when the list they stand beside changes length")
  func companions() {
    let old: JSONValue = ["birthDate": "1980", "_birthDate": ["id": "b"], "given": ["A"], "_given": [["id": "g"]]]
    let new: JSONValue = ["birthDate": "1981", "_birthDate": ["id": "b"], "given": ["A", "B"]]
    let edits = PatchDiff.edits(from: old, to: new)
    #expect(edits.apply(to: old) == new)
    let longer = [ElementEdit(path: ElementPath([.member("given")]), old: ["A"], new: ["A", "B"])].apply(to: old)
    #expect(longer["_given"] == nil && longer["_birthDate"] == ["id": "b"])
  }

  @Test("what is removed leaves no empty shell behind")
  func shells() {
    let old: JSONValue = ["maritalStatus": ["text": "x"], "telecom": [["system": "phone", "value": "1"]]]
    let edits = PatchDiff.edits(from: old, to: [:])
    #expect(edits.apply(to: old) == [:])
  }
}

/// Small documents with lists of both kinds and with companions.
struct RandomDocuments {
  var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func below(_ bound: UInt64) -> UInt64 { SplitMix.next(&state) % bound }

  mutating func some(_ values: JSONValue?...) -> JSONValue? { values[Int(below(UInt64(values.count)))] }

  mutating func list(_ maximum: UInt64, _ make: (inout RandomDocuments) -> JSONValue) -> JSONValue? {
    let count = below(maximum + 1)
    return count == 0 ? nil : .array((0..<count).map { _ in make(&self) })
  }

  mutating func patient() -> JSONValue {
    var document: JSONValue = ["resourceType": "Patient", "id": "p"]
    document["birthDate"] = some(nil, "1980", "1980-02", "1980-02-03")
    document["_birthDate"] = some(nil, ["id": "x"], ["extension": [["url": "u", "valueCode": "z"]]])
    document["gender"] = some(nil, "male", "female")
    document["maritalStatus"] = some(nil, ["text": "m"], ["coding": [["system": "s", "code": "M"]], "text": "m"])
    document["multipleBirthInteger"] = some(nil, 1, .number(JSONNumber("1.50") ?? JSONNumber(1)))
    document["telecom"] = list(3) { random in
      var item: JSONValue = ["value": .string(String(random.below(4)))]
      item["system"] = random.some(nil, "phone", "email")
      item["use"] = random.some(nil, "home", "work")
      return item
    }
    document["name"] = list(2) { random in
      var item: JSONValue = ["family": .string("F\(random.below(3))")]
      item["use"] = random.some(nil, "official", "usual")
      item["given"] = random.some(nil, ["A"], ["A", "B"])
      if let given = item["given"]?.array, random.below(3) == 0 {
        item["_given"] = .array(given.map { _ in ["id": "g"] })
      }
      return item
    }
    document["contact"] = list(2) { random in ["name": ["family": .string("C\(random.below(3))")]] }
    document["identifier"] = list(3) { random in
      ["system": .string("s\(random.below(2))"), "value": .string(String(random.below(3)))]
    }
    return document
  }
}

extension JSONValue {
  /// The document with members and list items in one order, whatever it was.
  var sortedLists: JSONValue {
    switch self {
    case .array(let items): .array(items.map(\.sortedLists).sorted { $0.text() < $1.text() })
    case .object(let object):
      .object(
        JSONObject(
          object.members.map { JSONObject.Member(key: $0.key, value: $0.value.sortedLists) }
            .sorted { $0.key < $1.key }))
    default: self
    }
  }
}
