/// A token or password. It prints as dots, by whatever way it is printed, and it cannot be encoded.
package struct Secret: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  private let value: String

  package init(_ value: String) { self.value = value }

  /// The secret itself. Call this only where it is put on the wire or in its protected file.
  package func reveal() -> String { value }

  package var description: String { "•••" }
  package var debugDescription: String { "•••" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
