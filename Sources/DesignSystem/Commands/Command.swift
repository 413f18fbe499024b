public import Domain

/// A command: what it looks like and what it does.
///
/// A destructive command that is not `confirmed` throws `needs-confirmation` before it does anything, with what would
/// happen as the message. A terminal asks and runs the same invocation again, confirmed; a script is told to pass `--yes`.
public struct Command: Sendable {
  /// What a command does. It answers with a page; what goes wrong is thrown.
  public typealias Run = @MainActor @Sendable (Invocation) async throws(AppError) -> Page

  public var spec: CommandSpec
  public var run: Run

  public init(_ spec: CommandSpec, run: @escaping Run) {
    self.spec = spec
    self.run = run
  }
}
