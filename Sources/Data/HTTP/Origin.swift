/// Scheme, host and port of an address (RFC 6454): what decides whether a token may go there.
package struct Origin: Hashable, Sendable, CustomStringConvertible {
  /// `http` or `https`.
  package let scheme: String
  /// In lower case; an IPv6 address keeps its brackets.
  package let host: String
  /// As written, or the scheme's default.
  package let port: Int

  /// The origin of an absolute http or https address; nil for anything else, also for one that carries a user name or
  /// characters no address has, since readers of such addresses disagree about its host.
  package init?(_ url: String) {
    guard let parts = URLReference(url), let scheme = parts.scheme.map({ ASCII.lowercased($0) }),
      let authority = parts.authority, url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }),
      let defaultPort = Self.defaultPorts[scheme], !authority.contains("@")
    else { return nil }
    guard let (host, port) = Self.split(authority) else { return nil }
    guard let number = port.isEmpty ? defaultPort : Self.portNumber(port) else { return nil }
    self.scheme = scheme
    self.host = host
    self.port = number
  }

  /// Whether both are addresses of one origin. False if either has none.
  package static func sameOrigin(_ a: String, _ b: String) -> Bool {
    guard let a = Origin(a), let b = Origin(b) else { return false }
    return a == b
  }

  /// Whether the host is this machine: `localhost`, 127.0.0.0/8 or `[::1]`.
  package var isLoopback: Bool {
    if host == "localhost" || host == "[::1]" { return true }
    let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
    return numbers.count == 4 && numbers[0] == "127"
      && numbers.allSatisfy { $0.utf8.allSatisfy(ASCII.isDigit) && UInt8($0) != nil }
  }

  /// Without a port that the scheme implies.
  package var description: String {
    "\(scheme)://\(host)" + (port == Self.defaultPorts[scheme] ? "" : ":\(port)")
  }

  private static let defaultPorts = ["http": 80, "https": 443]

  /// Host and port text of an authority, without user information.
  private static func split(_ authority: Substring) -> (host: String, port: Substring)? {
    let host: Substring
    var rest: Substring
    if authority.hasPrefix("[") {
      guard let end = authority.firstIndex(of: "]") else { return nil }
      host = authority[...end]
      rest = authority[authority.index(after: end)...]
      guard host.dropFirst().dropLast().utf8.allSatisfy(isAddressByte) else { return nil }
    } else {
      host = authority.prefix { $0 != ":" }
      rest = authority[host.endIndex...]
      guard !host.isEmpty else { return nil }
    }
    if !rest.isEmpty {
      guard rest.hasPrefix(":") else { return nil }
      rest = rest.dropFirst()
    }
    return (ASCII.lowercased(host), rest)
  }

  private static func isAddressByte(_ byte: UInt8) -> Bool {
    ASCII.isDigit(byte) || (ASCII.lowercased(byte) >= UInt8(ascii: "a") && ASCII.lowercased(byte) <= UInt8(ascii: "f"))
      || byte == UInt8(ascii: ":") || byte == UInt8(ascii: ".")
  }

  private static func portNumber(_ text: Substring) -> Int? {
    guard text.utf8.allSatisfy(ASCII.isDigit), let number = UInt16(text), number > 0 else { return nil }
    return Int(number)
  }
}
