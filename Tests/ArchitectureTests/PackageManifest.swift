/// The targets of `Package.swift`, as they are written there.
///
/// `swift package dump-package` would tell the same, but builds the manifest a second time for every run of the tests.
struct PackageManifest {
  /// The modules that each target depends on.
  var dependencies: [String: Set<String>] = [:]
  /// The list that the manifest maps to one target each.
  var features: [String] = []

  init(text: String) {
    let code = text.split(separator: "\n").map { $0.split(separator: "//", maxSplits: 1).first ?? $0 }.joined(
      separator: "\n")
    if let list = code.firstMatch(of: #/let features = \[([^\]]*)\]/#) { features = Self.names(in: list.1) }
    for target in code.matches(
      of:
        #/\.(?:target|executableTarget|testTarget)\(\s*name: ("[A-Za-z]+"|\$0)(?:,\s*dependencies: \[([^\]]*)\](\s*\+ features\.map)?)?/#
    ) {
      var modules = Set(target.2.map { Self.names(in: $0) } ?? [])
      if target.3 != nil { modules.formUnion(features) }
      let names = target.1 == "$0" ? features : Self.names(in: target.1)
      // A feature is also named where others depend on it, later in the text.
      for name in names where dependencies[name] == nil { dependencies[name] = modules }
    }
  }

  private static func names(in list: Substring) -> [String] {
    list.matches(of: #/"([A-Za-z]+)"/#).map { String($0.1) }
  }
}
