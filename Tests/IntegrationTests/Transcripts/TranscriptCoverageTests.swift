import DesignSystem
import Foundation
import Testing

@testable import App

/// Which lines of the clinic the transcripts play.
@Suite struct TranscriptCoverageTests {
  @Test("every line of the clinic is played in a pipe, and typed at a prompt") @MainActor
  func everyLine() throws {
    var piped: Set<[String]> = []
    var typed: Set<[String]> = []
    let paths = DependencyContainer.specs.map(\.path)
    for name in try TranscriptFiles.names() {
      var isTerminal = false
      for step in try Transcript(String(contentsOfFile: TranscriptFiles.path(name), encoding: .utf8)).steps {
        switch step {
        case .remark: continue
        case .event(let event, let argument, _):
          if event == "terminal" { isTerminal = argument != "off" }
        case .exchange(let exchange):
          let lines = [String(exchange.typed.dropFirst("clinic ".count))] + (isTerminal ? exchange.input : [])
          let found = lines.compactMap { Self.path(of: $0, among: paths) }
          if isTerminal { typed.formUnion(found) } else { piped.formUnion(found) }
        }
      }
    }
    #expect(paths.filter { !piped.contains($0) } == [], "these are in no pipe")
    #expect(paths.filter { !typed.contains($0) } == [], "these are typed nowhere")
  }

  /// The longest path with which a line begins, behind the options before it.
  private static func path(of line: String, among paths: [[String]]) -> [String]? {
    guard let words = try? ShellWords.split(line).drop(while: { $0.hasPrefix("--") }) else { return nil }
    return paths.filter { words.starts(with: $0) }.max { $0.count < $1.count }
  }
}
