/// Header fields in the order they were written; names are looked up without regard to case (RFC 9110 §5.1).
///
/// Two values are equal when they hold the same fields in the same order, names compared without regard to case.
package struct HTTPHeaders: Hashable, Sendable {
  package struct Field: Hashable, Sendable {
    package let name: String
    package let value: String

    package init(name: String, value: String) {
      self.name = name
      self.value = value
    }

    package static func == (a: Field, b: Field) -> Bool {
      a.value == b.value && ASCII.equalIgnoringCase(a.name, b.name)
    }

    package func hash(into hasher: inout Hasher) {
      hasher.combine(ASCII.lowercased(name))
      hasher.combine(value)
    }
  }

  package private(set) var fields: [Field]

  package init(_ fields: [Field] = []) { self.fields = fields }

  /// The first value of a field. Setting replaces every field of that name; nil removes them.
  package subscript(name: String) -> String? {
    get { fields.first { ASCII.equalIgnoringCase($0.name, name) }?.value }
    set {
      let place = fields.firstIndex { ASCII.equalIgnoringCase($0.name, name) } ?? fields.endIndex
      fields.removeAll { ASCII.equalIgnoringCase($0.name, name) }
      if let newValue { fields.insert(Field(name: name, value: newValue), at: place) }
    }
  }

  /// Every value of a field, in order. Lists inside one value are not split.
  package func values(_ name: String) -> [String] {
    fields.compactMap { ASCII.equalIgnoringCase($0.name, name) ? $0.value : nil }
  }

  /// Adds a field and keeps those of the same name.
  package mutating func append(_ name: String, _ value: String) {
    fields.append(Field(name: name, value: value))
  }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral elements: (String, String)...) {
    fields = elements.map { Field(name: $0.0, value: $0.1) }
  }
}
