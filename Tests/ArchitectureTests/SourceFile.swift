import Foundation

/// One Swift file of the package.
struct SourceFile {
  /// The path below the package's root: `Sources/Domain/Values/Age.swift`.
  var path: String
  /// The lines as they are written.
  var lines: [String]
  /// The same lines without comments and the text of strings.
  var code: [String]

  init(path: String, text: String) {
    self.path = path
    lines = Self.lines(of: text)
    code = Self.lines(of: SourceScanner.code(of: text))
  }

  private static func lines(of text: String) -> [String] {
    text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { String(Substring($0)) }
  }

  /// The folder that is the target's: `Domain`, or `Patients` for a feature.
  var target: String {
    let parts = path.split(separator: "/").map(String.init)
    return parts[1] == "Features" || parts[1] == "System" ? parts[2] : parts[1]
  }

  /// Where a line is, for a message.
  func place(_ index: Int) -> String { "\(path):\(index + 1)" }
}

/// The sources of this package, as they lie beside the tests.
enum SourceTree {
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  static func text(of path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// All Swift files of `Sources`, sorted by path.
  static let sources: [SourceFile] = files(below: "Sources")

  static let tests: [SourceFile] = files(below: "Tests")

  private static func files(below folder: String) -> [SourceFile] {
    let base = root.appending(path: folder).path
    let names = FileManager.default.enumerator(atPath: base)?.compactMap { $0 as? String } ?? []
    return names.filter { $0.hasSuffix(".swift") }.sorted().compactMap { name in
      let path = "\(folder)/\(name)"
      return (try? text(of: path)).map { SourceFile(path: path, text: $0) }
    }
  }
}
