public import Domain

/// A command: what it looks like and what it does.
///
/// A destructive command that is not `confirmed` throws `needs-confirmation` before it does anything, with what would
/// happen as the message. A terminal asks and runs the same invocation again, confirmed; a script is told to pass `--yes`.
public struct Command: Sendable {
  /// What a command does. It answers with a page; what goes wrong is thrown.
  public typealias Run = @MainActor @Sendable (Invocation) async throws(AppError) -> Page

  /// What it looks like on a line.
  public var spec: CommandSpec
  /// What it does. Runs on the main actor; cancelling its task asks it to stop.
  public var run: Run

  /// Creates a command.
  public init(_ spec: CommandSpec, run: @escaping Run) {
    self.spec = spec
    self.run = run
  }
}
