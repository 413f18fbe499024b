/// Decides how an error is shown. View models hand their errors here and hold no global error UI.
@MainActor
public protocol ErrorRouting: AnyObject {
  /// Shows an error in the way its traits ask for, and tells which way that was.
  @discardableResult
  func present(_ error: AppError) -> ErrorPresentation
}

/// The ways in which an error can be shown.
public enum ErrorPresentation: Hashable, Sendable {
  /// Beside the input field it is about.
  case inline(field: String)
  /// A line above the content; the content stays.
  case banner
  /// A question that has to be answered before the work can go on.
  case question
  /// A line in the log only.
  case logLine

  /// The presentation that an error's traits ask for.
  public init(for error: AppError) {
    if let field = error.field {
      self = .inline(field: field)
    } else if error.traits.contains(.needsUser) {
      self = .question
    } else if error.code == .cancelled {
      self = .logLine
    } else {
      self = .banner
    }
  }
}
