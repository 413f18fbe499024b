public import Domain
import Synchronization

/// Files in memory.
public final class FakeTextFiles: TextFiles {
  private let state: Mutex<[String: String]>

  public init(_ files: [String: String] = [:]) {
    state = Mutex(files)
  }

  /// What was written, by path.
  public var files: [String: String] { state.withLock { $0 } }

  public func text(at path: String) async throws(AppError) -> String {
    guard let text = files[path] else { throw AppError(.fileUnreadable, "cannot read \(path)", field: "file") }
    return text
  }

  public func write(_ text: String, to path: String) async throws(AppError) {
    state.withLock { $0[path] = text }
  }
}
