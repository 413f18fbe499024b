import Testing

@Suite("Sources that can be read")
struct HygieneTests {
  @Test("what the compiler is told to believe has its proof in a comment directly above")
  func uncheckedClaims() {
    #expect(SourceTree.sources.flatMap(Self.unprovedClaims) == [])
  }

  @Test("a claim without a comment is seen")
  func unprovedClaimIsSeen() {
    let proved = "/// Only its own thread touches it.\nfinal class A: @unchecked Sendable {\n"
    let unproved = "  let a = 1\n  private nonisolated(unsafe) var b = 2\n}\n"
    let file = SourceFile(path: "Sources/Data/A.swift", text: proved + unproved)
    #expect(Self.unprovedClaims(file) == ["Sources/Data/A.swift:4"])
  }

  @Test("no file is longer than 400 lines")
  func fileLength() {
    let long = SourceTree.sources.filter { $0.lines.count > 400 }
    #expect(long.map(\.path) == [])
  }

  private static func unprovedClaims(_ file: SourceFile) -> [String] {
    file.code.indices.filter { index in
      let claims = ["@unchecked Sendable", "nonisolated(unsafe)"].contains { file.code[index].contains($0) }
      let above = index > 0 ? file.lines[index - 1].drop(while: \.isWhitespace) : ""
      return claims && !above.hasPrefix("//")
    }.map(file.place)
  }
}
