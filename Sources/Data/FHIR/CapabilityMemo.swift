import Domain
import Foundation
import JSON
import Synchronization

/// The server's claims as they were last read from their bytes: every transaction asks for them, and they hardly ever
/// change.
package final class CapabilityMemo: Sendable {
  private let last = Mutex<(bytes: [UInt8], capabilities: ServerCapabilities?)?>(nil)

  package init() {}

  /// What a stored statement claims.
  func read(_ bytes: [UInt8]) throws(AppError) -> ServerCapabilities? {
    if let known = last.withLock({ $0 }), Self.isSame(known.bytes, bytes) { return known.capabilities }
    let capabilities = CapabilityReader.read(try JSONValue(stored: bytes))
    last.withLock { $0 = (bytes, capabilities) }
    return capabilities
  }

  private static func isSame(_ a: [UInt8], _ b: [UInt8]) -> Bool { a.count == b.count && memcmp(a, b, a.count) == 0 }
}
