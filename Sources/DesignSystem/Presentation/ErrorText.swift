public import Domain

/// How errors read: the problem first, with the value in quotes and no full stop, then what to do next.
public enum ErrorText {
  /// An error as lines for standard error, without colour, whatever the width.
  /// - Parameter place: Where it happened, such as `day.clinic:12`.
  public static func lines(for error: AppError, at place: String? = nil) -> [String] {
    lines(problem: error.message, place: place, source: [], next: error.hint)
  }

  /// A line that was not understood, with the place marked below it if it is known.
  /// - Parameter line: The line as typed.
  public static func lines(for error: UsageError, in line: String? = nil, at place: String? = nil) -> [String] {
    var source: [String] = []
    if let line, let column = error.column, line.unicodeScalars.count <= 200 {
      let before = String(String.UnicodeScalarView(line.unicodeScalars.prefix(column - 1)))
      source = [
        "  " + VisibleText.flat(line),
        "  " + String(repeating: " ", count: DisplayWidth.of(VisibleText.flat(before))) + "^",
      ]
    }
    return lines(problem: error.message, place: place, source: source, next: error.hint)
  }

  private static func lines(problem: String, place: String?, source: [String], next: String?) -> [String] {
    var problem = VisibleText.flat(problem)
    while problem.hasSuffix(".") { problem.removeLast() }
    let label = place.map { "Error in \(VisibleText.flat($0)): " } ?? "Error: "
    return [label + problem] + source + (next.map { ["  Next: " + VisibleText.flat($0)] } ?? [])
  }
}

extension TextRenderer {
  /// An error for standard error, each line with its line feed; `Error` is in colour if the renderer is styled.
  public func render(_ error: AppError, at place: String? = nil) -> String {
    text(of: styledError(ErrorText.lines(for: error, at: place)))
  }

  /// A line that was not understood, for standard error.
  public func render(_ error: UsageError, in line: String? = nil, at place: String? = nil) -> String {
    text(of: styledError(ErrorText.lines(for: error, in: line, at: place)))
  }

  private func styledError(_ lines: [String]) -> [StyledLine] {
    lines.enumerated().map { index, line in
      guard index == 0, line.hasPrefix("Error") else { return StyledLine(line) }
      var styled = StyledLine("Error", role: .danger, isStrong: true)
      styled.append(String(line.dropFirst("Error".count)))
      return styled
    }
  }
}
