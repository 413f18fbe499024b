/// Which record a line means, as typed for `REF`.
public enum RecordReference: Sendable, Hashable {
  /// The number of a row printed in this session, with the record that the row showed.
  case row(Int, RowTarget)
  /// An id (`Patient/3` or `3f2c…`), an identifier, or whatever else the command can look up.
  case text(String)

  /// The row number that the word stands for: `#12`, or a bare number of up to three digits.
  ///
  /// A longer number is an identifier. A record whose id is that short is written with its type: `Patient/3`.
  public static func rowNumber(in word: String) -> Int? {
    let digits = word.hasPrefix("#") ? word.dropFirst() : word[...]
    let limit = word.hasPrefix("#") ? 9 : 3
    guard (1...limit).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    return Int(digits)
  }

  /// Reads a word, with the rows of the session or nil where there is none.
  /// - Throws: if the word is a row number that shows nothing here.
  public init(parsing word: String, rows: RowBindings?) throws(RowError) {
    guard let number = RecordReference.rowNumber(in: word) else {
      self = .text(word)
      return
    }
    guard let rows else { throw .outsideSession(number) }
    self = .row(number, try rows.target(of: number))
  }
}

/// The rows that a session has printed, by number.
///
/// A page with rows replaces what the numbers meant; a page without rows leaves them. So a number means what the last
/// printed listing showed, and never what happens to stand there now.
public struct RowBindings: Sendable, Equatable {
  /// The record of row 1, row 2, …
  public private(set) var targets: [RowTarget]

  /// Creates bindings; none at the start of a session.
  public init(targets: [RowTarget] = []) {
    self.targets = targets
  }

  /// Takes over the rows of a page that is about to be printed, if it has any.
  public mutating func bind(_ page: Page) {
    let printed = page.rowTargets
    if !printed.isEmpty { targets = printed }
  }

  /// What row `number` showed.
  /// - Throws: if there is no such row, naming the numbers that exist.
  public func target(of number: Int) throws(RowError) -> RowTarget {
    guard targets.indices.contains(number - 1) else { throw .outOfRange(number, count: targets.count) }
    return targets[number - 1]
  }
}

/// Why a row number means nothing.
public enum RowError: Error, Sendable, Equatable {
  /// A script, a pipe or a single line has no rows.
  case outsideSession(Int)
  /// The last listing has `count` rows.
  case outOfRange(Int, count: Int)

  /// What is wrong, without a full stop.
  public var message: String {
    switch self {
    case .outsideSession(let number):
      "row number \"\(number)\" means something only in the session that printed it"
    case .outOfRange(let number, count: 0):
      "no row \"\(number)\": nothing has been listed in this session"
    case .outOfRange(let number, count: 1):
      "no row \"\(number)\": the last listing has row 1 only"
    case .outOfRange(let number, let count):
      "no row \"\(number)\": the last listing has rows 1 to \(count)"
    }
  }

  /// What to do instead.
  public var hint: String {
    switch self {
    case .outsideSession(let number): "give an identifier, or an id with its type, such as Patient/\(number)"
    case .outOfRange: "list again and take a number from there, or give an id or an identifier"
    }
  }
}
