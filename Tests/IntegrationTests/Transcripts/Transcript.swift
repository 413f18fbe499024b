import TestSupport

/// What is typed and what the program answers, as a text: `Docs/Testing.md` tells how one is written.
struct Transcript: Sendable {
  /// A line that is run, and what has to come of it.
  struct Exchange: Hashable, Sendable {
    /// Everything behind the `$`.
    var typed: String
    /// The lines of standard input.
    var input: [String] = []
    /// The lines on standard output.
    var output: [String] = []
    /// The lines on standard error.
    var errors: [String] = []
    /// The exit status.
    var status: Int32 = 0
  }

  /// One part of the text.
  enum Step: Hashable, Sendable {
    /// A comment or an empty line.
    case remark(String)
    /// Something that happens around the program, with the lines below it.
    case event(name: String, argument: String, lines: [String])
    /// A line that is run.
    case exchange(Exchange)
  }

  var steps: [Step] = []

  /// An empty one.
  init() {}

  /// Reads a transcript.
  ///
  /// - Throws: `ProgramFailure`, naming the line that is none.
  init(_ text: String) throws {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)[...]
    if lines.last == "" { lines.removeLast() }
    while let line = lines.popFirst() {
      switch line.first {
      case nil, "#": steps.append(.remark(line))
      case "@":
        let name = line.dropFirst().prefix { $0 != " " }
        steps.append(
          .event(
            name: String(name), argument: String(line.dropFirst(name.count + 2)), lines: Self.take("<", from: &lines)))
      case "$":
        var exchange = Exchange(typed: Self.content(line), input: Self.take("<", from: &lines))
        exchange.output = Self.take("|", from: &lines)
        exchange.errors = Self.take("!", from: &lines)
        for text in Self.take("=", from: &lines) {
          guard let status = Int32(text) else { throw ProgramFailure("\(text) is no exit status") }
          exchange.status = status
        }
        steps.append(.exchange(exchange))
      default: throw ProgramFailure("\"\(line)\" is no line of a transcript at its place")
      }
    }
  }

  private static func take(_ mark: Character, from lines: inout ArraySlice<String>) -> [String] {
    var taken: [String] = []
    while let line = lines.first, line.first == mark {
      taken.append(content(line))
      lines.removeFirst()
    }
    return taken
  }

  /// What stands behind the mark and a space.
  private static func content(_ line: String) -> String {
    let rest = line.dropFirst()
    return String(rest.first == " " ? rest.dropFirst() : rest)
  }

  /// The text.
  var text: String { steps.map { $0.lines.joined(separator: "\n") + "\n" }.joined() }
}

extension Transcript.Step {
  fileprivate var lines: [String] {
    switch self {
    case .remark(let text): [text]
    case .event(let name, let argument, let lines):
      [argument.isEmpty ? "@\(name)" : "@\(name) \(argument)"] + lines.map { "< \($0)" }
    case .exchange(let exchange): exchange.lines
    }
  }
}

extension Transcript.Exchange {
  /// As it stands in a transcript.
  var lines: [String] {
    func marked(_ mark: String, _ lines: [String]) -> [String] {
      lines.map { $0.isEmpty ? mark : "\(mark) \($0)" }
    }
    return ["$ \(typed)"] + marked("<", input) + marked("|", output) + marked("!", errors)
      + (status == 0 ? [] : ["= \(status)"])
  }

  /// The same with what came, where that is not what is expected.
  func holding(output: [String], errors: [String], status: Int32) -> Transcript.Exchange {
    var held = self
    held.status = status
    if !TranscriptPattern.matches(self.output[...], output[...]) { held.output = output }
    if !TranscriptPattern.matches(self.errors[...], errors[...]) { held.errors = errors }
    return held
  }
}

/// Expected lines: `...` as a line stands for any number of lines, `[..]` in one for any text.
enum TranscriptPattern {
  static func matches(_ expected: ArraySlice<String>, _ actual: ArraySlice<String>) -> Bool {
    guard let first = expected.first else { return actual.isEmpty }
    if first == "..." {
      return matches(expected.dropFirst(), actual)
        || !actual.isEmpty && matches(expected, actual.dropFirst())
    }
    guard let line = actual.first, matches(first, line) else { return false }
    return matches(expected.dropFirst(), actual.dropFirst())
  }

  private static func matches(_ expected: String, _ line: String) -> Bool {
    let parts = expected.split(separator: "[..]", omittingEmptySubsequences: false)
    guard parts.count > 1 else { return expected == line }
    guard line.hasPrefix(parts[0]), line.hasSuffix(parts[parts.count - 1]) else { return false }
    var rest = line.dropFirst(parts[0].count)
    guard rest.count >= parts[parts.count - 1].count else { return false }
    rest = rest.dropLast(parts[parts.count - 1].count)
    for part in parts.dropFirst().dropLast() where !part.isEmpty {
      guard let found = rest.firstRange(of: part) else { return false }
      rest = rest[found.upperBound...]
    }
    return true
  }
}

/// The words of a line, as a shell would split it: quotes, and a backslash before one character.
enum ShellWords {
  static func split(_ line: String) throws -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var isEscaped = false
    for character in line {
      if isEscaped {
        word = (word ?? "") + String(character)
        isEscaped = false
      } else if character == "\\", quote != "'" {
        isEscaped = true
      } else if let open = quote {
        if character == open { quote = nil } else { word = (word ?? "") + String(character) }
      } else if character == "'" || character == "\"" {
        quote = character
        word = word ?? ""
      } else if character == " " {
        if let done = word { words.append(done) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    guard quote == nil, !isEscaped else { throw ProgramFailure("\"\(line)\" has an open quote") }
    return words + (word.map { [$0] } ?? [])
  }
}
