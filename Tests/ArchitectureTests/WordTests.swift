import Testing

@Suite("Words that code may not use")
struct WordTests {
  @Test("Data takes its effects from outside, but for one folder")
  func effects() {
    let files = SourceTree.sources.filter { $0.target == "Data" }
    #expect(WordRule.effects.violations(in: files) == [])
  }

  @Test("every exemption is still needed")
  func exemptions() {
    var rule = WordRule.effects
    rule.exempt = [:]
    for place in WordRule.effects.exempt.keys {
      let files = SourceTree.sources.filter { $0.path.hasPrefix(place) }
      #expect(rule.violations(in: files) != [], "\(place) needs no exemption any more")
    }
  }

  @Test("Domain reads no clock, makes no id, and does no I/O")
  func purity() {
    let files = SourceTree.sources.filter { $0.target == "Domain" }
    #expect(WordRule.purity.violations(in: files) == [])
  }

  @Test("nothing traps on purpose")
  func traps() {
    #expect(WordRule.traps.violations(in: SourceTree.sources) == [])
  }

  @Test("programs are started in one way, which stands many open descriptors")
  func processes() {
    #expect(WordRule.processes.violations(in: SourceTree.sources + SourceTree.tests) == [])
  }

  @Test("paths are cut in one way, which stands short names")
  func paths() {
    #expect(WordRule.paths.violations(in: SourceTree.sources) == [])
  }

  @Test(
    "forbidden words are seen in every spelling",
    arguments: [
      "Task { await go() }", "Task{ }", "  _ = Task  {", "Task.detached {", "try await Task.sleep(for: .seconds(1))",
      "let now = Date()", "let id = \"x-\\(UUID())\"", "DispatchQueue.main.async {}", "Int.random(in: 0...3)",
      "var generator = SystemRandomNumberGenerator()", "usleep(5)", "let task: Task<Void, Never>",
      "/* why */ Date ()", "let a = #\"\\#(UUID())\"#",
    ])
  func forbiddenWords(line: String) {
    let file = SourceFile(path: "Sources/Data/Engine/A.swift", text: line)
    #expect(WordRule.effects.violations(in: [file]).count == 1)
  }

  @Test(
    "what only looks like a forbidden word is not one",
    arguments: [
      "// Task { in a comment", "/* Date() /* UUID() */ usleep( */", "let text = \"Date()\"",
      "let text = \"\"\"\n  UUID()\n  \\\" Date()\n  \"\"\"", "let text = #\"\\(UUID())\"#", "withTaskGroup { }",
      "if Task.isCancelled { }", "MyTask { }", "makeDate()", "DedicatedThread.start()", "effects.timer.sleep(.zero)",
    ])
  func allowedWords(line: String) {
    let file = SourceFile(path: "Sources/Data/Engine/A.swift", text: line)
    #expect(WordRule.effects.violations(in: [file]) == [])
  }
}
