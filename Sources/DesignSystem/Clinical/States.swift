public import Domain

/// What a screen that reads is doing. One value, so that no two states can hold at once.
public enum LoadState<Display: Sendable & Equatable>: Sendable, Equatable {
  /// Nothing was asked for yet.
  case idle
  /// The first answer is on its way.
  case loading
  /// There is something to show, with its age inside the display.
  case showing(Display)
  /// There is nothing to show, and why.
  case failed(AppError)

  /// What is shown, if anything.
  public var display: Display? {
    if case .showing(let display) = self { display } else { nil }
  }

  /// The page of what is shown.
  ///
  /// - Throws: The reason why nothing is shown; `cancelled` when the reader went away before the first answer.
  public func page(_ render: (Display) -> Page) throws(AppError) -> Page {
    switch self {
    case .showing(let display): return render(display)
    case .failed(let error): throw error
    case .idle, .loading: throw .interrupted
    }
  }
}

/// What a screen that changes something is doing.
public enum ActionState<Display: Sendable & Equatable>: Sendable, Equatable {
  /// Nothing was asked for yet.
  case idle
  /// The change is being written.
  case working
  /// The change is durable.
  case done(Display)
  /// Nothing was changed, and why. With `needs-confirmation` the same action may be asked for again, confirmed.
  case failed(AppError)

  /// The page of what was done.
  ///
  /// - Throws: The reason why nothing was done; `cancelled` when it was given up before it began.
  public func page(_ render: (Display) -> Page) throws(AppError) -> Page {
    switch self {
    case .done(let display): return render(display)
    case .failed(let error): throw error
    case .idle, .working: throw .interrupted
    }
  }
}

extension AppError {
  /// The work was given up before it began.
  public static let interrupted = AppError(.cancelled, "interrupted before anything was done")
}
