import Foundation
import Testing

/// Whole dialogues with the program, as files: `Docs/Testing.md` tells how one is written.
@Suite(.fewAtATime) struct TranscriptTests {
  @Test("the program answers as written", arguments: try TranscriptFiles.names())
  func plays(name: String) async throws {
    let path = TranscriptFiles.path(name)
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let expected = try Transcript(text)
    try await Desk.with { desk in
      var runner = try await TranscriptRunner(desk)
      var failure: (any Error)?
      do { try await runner.play(expected) } catch { failure = error }
      await runner.end()
      let played = runner.played
      if ProcessInfo.processInfo.environment["UPDATE_FIXTURES"] == "1" {
        try played.text.write(toFile: path, atomically: true, encoding: .utf8)
      } else {
        for (wanted, came) in zip(expected.steps, played.steps) where wanted != came {
          Issue.record("\(name): wanted\n\(wanted.shown)\ncame\n\(came.shown)")
        }
      }
      if let failure { throw failure }
    }
  }

  @Test("a transcript is what it was read from, and wild cards stand for what they say")
  func format() throws {
    let text = "# A remark.\n\n@server --profile poor\n$ clinic outbox\n< yes\n| a\n|\n! b\n= 3\n"
    #expect(try Transcript(text).text == text)
    #expect(try ShellWords.split(#"clinic a "b c" 'd "e' f\ g ''"#) == ["clinic", "a", "b c", "d \"e", "f g", ""])
    for (expected, actual, isMatch) in [
      (["a", "...", "z"], ["a", "b", "c", "z"], true), (["a", "...", "z"], ["a", "z"], true),
      (["a", "..."], ["b"], false), (["in [..] s"], ["in 3 s"], true), (["in [..] s"], ["in 3 min"], false),
      (["[..]b[..]c"], ["abac"], true), (["ab[..]bc"], ["abc"], false),
    ] {
      #expect(TranscriptPattern.matches(expected[...], actual[...]) == isMatch, "\(expected)")
    }
  }
}

extension Transcript.Step {
  fileprivate var shown: String {
    if case .exchange(let exchange) = self { exchange.lines.joined(separator: "\n") } else { "\(self)" }
  }
}

/// The transcripts in `Tests/Fixtures/Transcripts`.
enum TranscriptFiles {
  static let folder = URL(fileURLWithPath: Cases.path("")).deletingLastPathComponent().appending(path: "Transcripts")
    .path

  static func path(_ name: String) -> String { "\(folder)/\(name).transcript" }

  static func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".transcript") }
      .map { String($0.dropLast(".transcript".count)) }.sorted()
  }
}
