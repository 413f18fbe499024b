import JSON

/// The elements of a document that hold one plain value, by path.
enum DocumentLeaves {
  /// All of them in order, without what identifies the document. A list of one plain value counts as that value.
  static func all(in document: JSONValue) -> [(path: ElementPath, value: JSONValue)] {
    var found: [(path: ElementPath, value: JSONValue)] = []
    for member in document.object?.members ?? [] where !["resourceType", "id", "meta"].contains(member.key) {
      visit(member.value, at: ElementPath([.member(member.key)]), into: &found)
    }
    return found
  }

  /// The value of a leaf spelled as `text`, of the type that it has now; `nil` when the text is none of that type.
  static func value(_ text: String, like present: JSONValue) -> JSONValue? {
    switch present {
    case .number: JSONNumber(text).map(JSONValue.number)
    case .bool: ["true": .bool(true), "false": .bool(false)][text]
    case .array(let items): items.first.flatMap { value(text, like: $0) }.map { .array([$0]) }
    default: .string(text)
    }
  }

  private static func visit(
    _ value: JSONValue, at path: ElementPath, into found: inout [(path: ElementPath, value: JSONValue)]
  ) {
    switch value {
    case .string, .number, .bool: found.append((path, value))
    case .object(let object):
      for member in object.members { visit(member.value, at: path.appending(.member(member.key)), into: &found) }
    case .array(let items):
      guard case .member(let name)? = path.steps.last else { return }
      if let identities = ListIdentity.identities(of: items, named: name) {
        for (identity, item) in zip(identities, items) {
          visit(item, at: path.appending(.item(identity)), into: &found)
        }
      } else if items.count == 1, items[0].array == nil, items[0].object == nil, !items[0].isNull {
        found.append((path, value))
      }
    case .null: break
    }
  }
}
