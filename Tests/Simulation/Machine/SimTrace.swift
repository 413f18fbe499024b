import Synchronization

/// What happened, line by line, and its fingerprint.
package final class SimTrace: Sendable {
  private struct State {
    var lines: [String] = []
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    var count = 0
  }

  private let state = Mutex(State())
  private let keepsAll: Bool

  /// - Parameter keepsAll: whether all lines are kept, or the last few hundred.
  package init(keepsAll: Bool) { self.keepsAll = keepsAll }

  package func note(_ time: Int64, _ text: String) {
    let line = "\(time) \(text)"
    state.withLock { state in
      for byte in line.utf8 { state.hash = (state.hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
      state.count += 1
      state.lines.append(line)
      if !keepsAll, state.lines.count > 600 { state.lines.removeFirst(300) }
    }
  }

  /// FNV-1a over all lines, kept or not.
  package var hash: UInt64 { state.withLock { $0.hash } }
  package var count: Int { state.withLock { $0.count } }
  package var lines: [String] { state.withLock { $0.lines } }
}
