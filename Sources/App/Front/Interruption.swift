import Domain

/// The signals that ask the process to stop, and the work that they stop.
final class Interruption {
  /// The signal that came and was not answered yet.
  private(set) var signal: ExitStatus?
  private var cancel: (() -> Void)?
  /// How long work that ends by itself may take for that.
  private static let grace = Duration.seconds(5)

  /// Asks the running work to end by itself when the process is to terminate; false when it has to be cancelled.
  var endsByItself: () -> Bool = { false }

  /// A signal came: the running work is cancelled, or ends by itself.
  func receive(_ signal: ExitStatus) {
    // A request to terminate is never replaced by a request to stop a line.
    if self.signal != .terminated { self.signal = signal }
    guard signal == .terminated, endsByItself() else {
      cancel?()
      return
    }
    // Whoever terminates a process does not wait for ever: what is then still with the server is found out about later.
    Task {
      try? await Task.sleep(for: Self.grace)
      cancel?()
    }
  }

  /// Forgets a signal that only meant the running line.
  func forget() {
    if signal == .interrupted { signal = nil }
  }

  /// Does work that a signal cancels.
  func perform<Value: Sendable>(_ work: @escaping () async -> Value) async -> Value {
    let task = Task { await work() }
    let outer = cancel
    cancel = { task.cancel() }
    defer { cancel = outer }
    if signal != nil { task.cancel() }
    return await task.value
  }
}
