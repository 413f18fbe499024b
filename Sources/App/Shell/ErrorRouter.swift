import Domain

/// Collects the errors of one line with the presentation that their traits ask for, until the front shows them.
final class ErrorRouter: ErrorRouting {
  /// An error and how it is to be shown.
  nonisolated struct Presented: Hashable, Sendable {
    var error: AppError
    var presentation: ErrorPresentation
  }

  private var waiting: [Presented] = []

  @discardableResult
  func present(_ error: AppError) -> ErrorPresentation {
    let presentation = ErrorPresentation(for: error)
    // A model presents its error and the line that drove it fails with the same one: it is shown once.
    if !waiting.contains(where: { $0.error == error }) {
      waiting.append(Presented(error: error, presentation: presentation))
    }
    return presentation
  }

  /// Hands over what was presented since the last time.
  func take() -> [Presented] {
    defer { waiting = [] }
    return waiting
  }
}
