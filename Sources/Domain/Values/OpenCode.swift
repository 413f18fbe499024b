/// A code from a value set that may grow: codes which this version does not know are kept as they came.
public enum OpenCode<Known>: Hashable, Sendable, CustomStringConvertible
where Known: RawRepresentable & CaseIterable & Hashable & Sendable, Known.RawValue == String {
  /// A code that this version knows.
  case known(Known)
  /// Any other code, exactly as written.
  case unknown(String)

  /// Sorts a code into known or unknown.
  public init(rawValue: String) {
    self = Known(rawValue: rawValue).map(OpenCode.known) ?? .unknown(rawValue)
  }

  /// The code as written on the wire.
  public var rawValue: String {
    switch self {
    case .known(let code): code.rawValue
    case .unknown(let code): code
    }
  }

  /// The known code, or `nil`.
  public var known: Known? {
    if case .known(let code) = self { code } else { nil }
  }

  /// The code as written on the wire.
  public var description: String { rawValue }

  /// Codes are equal when they are written alike.
  public static func == (left: OpenCode, right: OpenCode) -> Bool { left.rawValue == right.rawValue }

  /// Whether this is a given known code.
  public static func == (left: OpenCode, right: Known) -> Bool { left.rawValue == right.rawValue }

  /// Hashes the written code.
  public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}
