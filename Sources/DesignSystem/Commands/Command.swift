/// A command: what it looks like and what it does.
public struct Command: Sendable {
  /// What a command does. It answers with a page; what goes wrong is thrown.
  public typealias Run = @MainActor @Sendable (Invocation) async throws(CommandFailure) -> Page

  public var spec: CommandSpec
  public var run: Run

  public init(_ spec: CommandSpec, run: @escaping Run) {
    self.spec = spec
    self.run = run
  }
}

/// What commands throw.
public typealias CommandFailure = any Error
