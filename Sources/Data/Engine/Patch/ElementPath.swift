package import JSON

/// The place of an element in a FHIR document: member names, and list items named by what identifies them.
package struct ElementPath: Hashable, Sendable {
  /// One step down.
  package enum Step: Hashable, Sendable {
    /// A member of an object.
    case member(String)
    /// The item of a list that has this identity.
    case item(ItemIdentity)
  }

  package var steps: [Step]

  package init(_ steps: [Step]) {
    self.steps = steps
  }

  package func appending(_ step: Step) -> ElementPath {
    ElementPath(steps + [step])
  }

  /// The name of the resource's own element in which the path lies.
  package var root: String? {
    guard case .member(let name) = steps.first else { return nil }
    return name
  }
}

/// What tells one list item from the others: the values of its identifying elements, absent ones as `nil`.
package struct ItemIdentity: Hashable, Sendable {
  package struct Part: Hashable, Sendable {
    package var element: String
    package var value: String?
  }

  package var parts: [Part]

  package init(_ parts: [Part]) {
    self.parts = parts
  }

  /// The identity of an item by the given elements; a nested element is written with dots.
  package init(of item: JSONValue, by elements: [String]) {
    parts = elements.map { element in
      var value: JSONValue? = item
      for name in element.split(separator: ".") { value = value?[String(name)] }
      return Part(element: element, value: value.map(ItemIdentity.spelling))
    }
  }

  /// Whether an item has this identity.
  package func matches(_ item: JSONValue) -> Bool {
    ItemIdentity(of: item, by: parts.map(\.element)) == self
  }

  private static func spelling(_ value: JSONValue) -> String {
    value.string ?? value.text(.sorted)
  }
}

extension ElementPath: CustomStringConvertible {
  /// For people and machine output, e.g. `telecom[phone,home].value`.
  package var description: String {
    var text = ""
    for step in steps {
      switch step {
      case .member(let name): text += text.isEmpty ? name : ".\(name)"
      case .item(let identity):
        text += "[" + identity.parts.map { $0.value ?? "-" }.joined(separator: ",") + "]"
      }
    }
    return text
  }
}

extension ElementPath {
  /// The stored form: `["telecom", {"system": "phone", "use": null}, "value"]`.
  package var json: JSONValue {
    .array(
      steps.map { step in
        switch step {
        case .member(let name): .string(name)
        case .item(let identity):
          .object(
            JSONObject(
              identity.parts.map { JSONObject.Member(key: $0.element, value: $0.value.map(JSONValue.string) ?? .null) })
          )
        }
      })
  }

  /// Reads the stored form.
  package init?(json: JSONValue) {
    guard let array = json.array else { return nil }
    var steps: [Step] = []
    for entry in array {
      switch entry {
      case .string(let name): steps.append(.member(name))
      case .object(let object):
        steps.append(
          .item(ItemIdentity(object.members.map { ItemIdentity.Part(element: $0.key, value: $0.value.string) })))
      default: return nil
      }
    }
    self.init(steps)
  }
}
