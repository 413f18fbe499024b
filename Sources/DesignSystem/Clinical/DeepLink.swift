import Foundation
public import Domain

/// A link into the program, taken apart: `clinic://patients/p-1`, `clinic://schedule/2026-12-01?practitioner=d-1`.
public struct DeepLink: Hashable, Sendable {
  /// The feature: what stands behind `clinic://`.
  public var feature: String
  /// The path's parts, decoded, none of them empty.
  public var path: [String]
  /// The query's items by name, decoded; an item without a value is empty.
  public var query: [String: String]

  /// Creates a link from its parts.
  public init(feature: String, path: [String] = [], query: [String: String] = [:]) {
    self.feature = feature
    self.path = path
    self.query = query
  }

  /// Takes a link apart.
  ///
  /// - Throws: `invalidInput` for everything that is no `clinic://` link.
  public init(_ text: String) throws(AppError) {
    guard let parts = URLComponents(string: text), parts.scheme?.lowercased() == "clinic", let host = parts.host,
      !host.isEmpty, parts.user == nil, parts.port == nil, parts.fragment == nil
    else {
      throw AppError(.invalidInput, "\"\(text)\" is no link into the clinic", hint: "write it as clinic://patients/ID")
    }
    feature = host.lowercased()
    path = parts.percentEncodedPath.split(separator: "/").map { $0.removingPercentEncoding ?? String($0) }
    query = [:]
    for item in parts.queryItems ?? [] { query[item.name] = item.value ?? "" }
  }

  /// The link as text.
  public var text: String {
    var parts = URLComponents()
    parts.scheme = "clinic"
    parts.host = feature
    // A slash inside a part must not become a border between parts.
    let allowed = CharacterSet.urlPathAllowed.subtracting(CharacterSet(charactersIn: "/"))
    parts.percentEncodedPath = path.map { "/" + ($0.addingPercentEncoding(withAllowedCharacters: allowed) ?? "") }
      .joined()
    if !query.isEmpty {
      parts.queryItems = query.sorted { $0.key < $1.key }
        .map { URLQueryItem(name: $0.key, value: $0.value.isEmpty ? nil : $0.value) }
    }
    return parts.string ?? "clinic://\(feature)"
  }
}
