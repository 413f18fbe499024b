import DesignSystem
import Domain
import Foundation
import Testing

@Suite("Pages as JSON lines")
struct JSONRendererTests {
  @Test("one object a line, sorted, with format and kind; warnings are lines of the same stream")
  func lines() {
    let page = Page(
      title: "not shown", blocks: [.paragraph("not shown")],
      records: [
        Record(
          "patient",
          [
            "name": "Pérez \"Ana\"\n", "kind": "cannot be replaced", "active": true, "age": 45,
            "weight": .decimal("70.50"),
            "odd": .decimal("7,5"), "deceased": nil, "given": .strings(["Ana", "María"]),
            "address": ["line": ["1 High St"], "city": .optional(nil)],
          ]),
        Record("patient", ["name": "山田"]),
      ],
      warnings: ["one entry was left out"])
    #expect(
      JSONRenderer().render(page) == #"""
        {"active":true,"address":{"city":null,"line":["1 High St"]},"age":45,"deceased":null,"format":1,"given":["Ana","María"],"kind":"patient","name":"Pérez \"Ana\"\n","odd":"7,5","weight":70.50}
        {"format":1,"kind":"patient","name":"山田"}
        {"format":1,"kind":"warning","message":"one entry was left out"}

        """#)
  }

  @Test("what a terminal would act on is escaped, and reads back as it was")
  func hidden() throws {
    let text = "a\u{0}b\u{1B}[2J\u{9B}\u{202E}\u{2028}\u{FEFF}\u{7F}\u{E0041}é"
    let line = JSONRenderer().render(Record("note", ["text": .string(text)]))
    #expect(line.unicodeScalars.allSatisfy { $0 == "\n" || ($0.value >= 0x20 && $0.value < 0x7F) || $0 == "é" })
    let object = try JSONSerialization.jsonObject(with: Foundation.Data(line.utf8)) as? [String: Any]
    #expect(object?["text"] as? String == text)
  }

  @Test("errors are lines of the same stream, with their exit status")
  func errors() {
    let renderer = JSONRenderer()
    let error = AppError(.notFound, "no patient \"x\"", hint: "patients search x", field: "ref")
    #expect(
      renderer.render(error, exit: 1)
        == #"{"code":"not-found","column":null,"exit":1,"field":"ref","format":1,"hint":"patients search x","kind":"error","line":null,"message":"no patient \"x\""}"#
        + "\n")
    #expect(
      renderer.render(UsageError("unknown command \"x\"", column: 3), exit: 2, line: 12)
        == #"{"code":"usage","column":3,"exit":2,"field":null,"format":1,"hint":null,"kind":"error","line":12,"message":"unknown command \"x\""}"#
        + "\n")
  }
}
