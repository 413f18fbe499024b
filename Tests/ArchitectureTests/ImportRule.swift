import Foundation

/// Which modules each target may import. The reason for each arrow is in `Docs/Architecture.md`.
enum ImportRule {
  /// Modules of the system that say nothing about the architecture, for the targets that do I/O.
  static let system: Set = ["Foundation", "Dispatch", "Glibc", "Synchronization"]

  /// The features: the folders in `Sources/Features`.
  static let features: [String] = {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Sources/Features")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { !$0.hasPrefix(".") }.sorted()
  }()

  /// By target, every module that a file of it may name.
  static let allowed: [String: Set<String>] = {
    var table: [String: Set<String>] = [
      "Domain": ["Foundation"],
      "JSON": ["Foundation"],
      "DesignSystem": ["Domain", "JSON", "Foundation"],
      "Data": system.union(["Domain", "JSON", "CSQLite", "CCurl"]),
      "App": system.union(["Domain", "Data", "DesignSystem", "CEdit", "CProcess", "Observation"]).union(features),
      "MockServer": system.union(["JSON", "CMicroHTTPD"]),
      "MockServerCommand": system.union(["MockServer", "JSON"]),
    ]
    for feature in features { table[feature] = ["Domain", "DesignSystem", "Foundation", "Observation"] }
    return table
  }()

  /// The imports that are not allowed.
  static func violations(in files: [SourceFile]) -> [String] {
    files.flatMap { file in
      file.code.enumerated().compactMap { index, line in
        guard let module = importedModule(line) else { return nil }
        guard let modules = allowed[file.target] else { return "\(file.place(index)): no rule for \(file.target)" }
        return modules.contains(module) ? nil : "\(file.place(index)): \(file.target) imports \(module)"
      }
    }
  }

  /// The module that a line imports: also behind attributes and an access level, and of `import struct X.Y` the `X`.
  static func importedModule(_ line: String) -> String? {
    var words = line.split(whereSeparator: \.isWhitespace)[...]
    while let word = words.first, word.hasPrefix("@") || accessLevels.contains(String(word)) { words.removeFirst() }
    guard words.popFirst() == "import" else { return nil }
    if let word = words.first, kinds.contains(String(word)) { words.removeFirst() }
    return words.first?.split(whereSeparator: { $0 == "." || $0 == ";" }).first.map(String.init)
  }

  private static let accessLevels: Set = ["public", "package", "internal", "fileprivate", "private"]
  private static let kinds: Set = ["struct", "class", "enum", "protocol", "typealias", "func", "let", "var", "actor"]
}
