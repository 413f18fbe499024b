package import JSON

extension JSONValue {
  /// Whether two values mean the same: the order of members does not count, and `1.50` equals `1.5`.
  ///
  /// Servers re-spell numbers; that is no change made by anybody.
  package func meansTheSame(as other: JSONValue) -> Bool {
    switch (self, other) {
    case (.number(let a), .number(let b)):
      return a.text == b.text || (a.double != nil && a.double == b.double)
    case (.array(let a), .array(let b)):
      return a.count == b.count && zip(a, b).allSatisfy { $0.meansTheSame(as: $1) }
    case (.object(let a), .object(let b)):
      return a.count == b.count
        && a.members.allSatisfy { member in b[member.key].map { member.value.meansTheSame(as: $0) } ?? false }
    default: return self == other
    }
  }

  /// ``meansTheSame(as:)`` for values that may be absent.
  package static func meansTheSame(_ a: JSONValue?, _ b: JSONValue?) -> Bool {
    switch (a, b) {
    case (nil, nil): true
    case (let a?, let b?): a.meansTheSame(as: b)
    default: false
    }
  }

  /// ``meansTheSame(as:)`` for lists of values that may be absent.
  package static func meanTheSame(_ a: [JSONValue?], _ b: [JSONValue?]) -> Bool {
    a.count == b.count && zip(a, b).allSatisfy { meansTheSame($0, $1) }
  }
}
