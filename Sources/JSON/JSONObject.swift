/// The members of a JSON object in the order they were written, duplicates included.
///
/// A linear list on purpose: objects of clinical documents have few members, and order must survive.
public struct JSONObject: Hashable, Sendable {
  /// One name with its value.
  public struct Member: Hashable, Sendable {
    /// The name.
    public var key: String
    /// The value.
    public var value: JSONValue

    /// A name with its value.
    public init(key: String, value: JSONValue) {
      self.key = key
      self.value = value
    }

    public static func == (left: Member, right: Member) -> Bool {
      left.key.isSameText(as: right.key) && left.value == right.value
    }
  }

  /// The members in order.
  public var members: [Member]

  /// An object without members.
  public init() { members = [] }

  /// An object with these members, in this order.
  public init(_ members: [Member]) { self.members = members }

  /// The value of the first member of that name, or nil.
  ///
  /// Setting replaces the first member of that name in its place and drops later duplicates of it, appends when there is none, and removes
  /// every member of that name for nil. Cost is linear in the number of members.
  public subscript(key: String) -> JSONValue? {
    get {
      for member in members where member.key.isSameText(as: key) { return member.value }
      return nil
    }
    set {
      guard let newValue else {
        members.removeAll { $0.key.isSameText(as: key) }
        return
      }
      guard let first = members.firstIndex(where: { $0.key.isSameText(as: key) }) else {
        members.append(Member(key: key, value: newValue))
        return
      }
      members[first].value = newValue
      if members[(first + 1)...].contains(where: { $0.key.isSameText(as: key) }) {
        let rest = members[(first + 1)...].filter { !$0.key.isSameText(as: key) }
        members.replaceSubrange((first + 1)..., with: rest)
      }
    }
  }
}

extension JSONObject: RandomAccessCollection, ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    members = elements.map { Member(key: $0.0, value: $0.1) }
  }

  public var startIndex: Int { 0 }
  public var endIndex: Int { members.count }
  public subscript(position: Int) -> Member { members[position] }
}
