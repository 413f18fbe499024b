import DesignSystem
import Domain
import Foundation
import Testing

@Suite("The page about formats")
struct FormatsPageTests {
  @Test("names every error code, every member of the common kinds, and the format's number")
  func complete() throws {
    let url = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Docs/Formats.md")
    let page = try String(contentsOf: url, encoding: .utf8)
    let freshness = FreshnessLine(Snapshot<Int>(value: nil, freshness: .missing)).record
    let help = try Sample.table.help(for: ["sync"]).records + Sample.table.help(for: ["topics"]).records
    let error = try #require(
      try JSONSerialization.jsonObject(
        with: Foundation.Data(JSONRenderer().render(AppError(.offline, "x"), exit: 4).utf8)) as? [String: Any])
    let words =
      AppError.Code.allCases.map(\.rawValue) + error.keys.sorted()
      + ([freshness] + help).flatMap { [$0.kind] + $0.fields.map(\.name) } + ["warning", "\(JSONRenderer.format)"]
    #expect(words.filter { !page.contains("`\($0)`") } == [])
  }
}
