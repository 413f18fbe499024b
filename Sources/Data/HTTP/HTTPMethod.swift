/// A request method (RFC 9110 §9). Methods are case-sensitive.
package struct HTTPMethod: Hashable, Sendable, CustomStringConvertible {
  package let name: String

  package init(_ name: String) { self.name = name }

  package static let get = HTTPMethod("GET")
  package static let put = HTTPMethod("PUT")
  package static let post = HTTPMethod("POST")
  package static let delete = HTTPMethod("DELETE")
  package static let head = HTTPMethod("HEAD")

  /// Whether the method asks for nothing to be changed (RFC 9110 §9.2.1), so that sending it twice does no harm.
  package var isSafe: Bool { self == .get || self == .head }

  package var description: String { name }
}
