import Testing

@Suite("Imports")
struct ImportTests {
  @Test("the sources are where the rules look for them")
  func sourcesAreFound() {
    #expect(Set(SourceTree.sources.map(\.target)) == Set(ImportRule.allowed.keys))
  }

  @Test("every target imports only what the architecture allows")
  func importsAreAllowed() {
    #expect(ImportRule.violations(in: SourceTree.sources) == [])
  }

  @Test("every spelling of an import is understood")
  func spellings() {
    let lines = [
      "import Data", "public import Data", "package import Data", "@testable import Data", "import struct Data.ETag",
      "  @_exported public import Data", "private import func Data.open", "import Data; import Domain",
      "let import1 = 2",
      "important()", "@preconcurrency @testable import Data",
    ]
    let modules = lines.map { ImportRule.importedModule($0) }
    #expect(modules == Array(repeating: "Data", count: 8) + [nil, nil, "Data"])
  }

  @Test(
    "what the architecture forbids is seen",
    arguments: [
      ("Sources/Features/Patients/A.swift", "@testable import Data"),
      ("Sources/Features/Patients/A.swift", "public import Scheduling"),
      ("Sources/Features/Sync/A.swift", "import struct JSON.JSONValue"),
      ("Sources/Domain/A.swift", "import Synchronization"),
      ("Sources/DesignSystem/A.swift", "import Data"),
      ("Sources/MockServer/A.swift", "package import Domain"),
      ("Sources/JSON/A.swift", "import Domain"),
      ("Sources/New/A.swift", "import Foundation"),
    ])
  func forbiddenImports(path: String, line: String) {
    let harmless = "// import Data\nlet text = \"\"\"\n  import Data\n  \"\"\"\n"
    let file = SourceFile(path: path, text: harmless + line)
    #expect(ImportRule.violations(in: [file]).count == 1)
  }

  @Test("the manifest's target graph is the one that the rules allow")
  func manifest() throws {
    let manifest = try PackageManifest(text: SourceTree.text(of: "Package.swift"))
    #expect(manifest.features.sorted() == ImportRule.features)
    let packages = Set(ImportRule.allowed.keys).union(["CSQLite", "CCurl", "CMicroHTTPD", "CEdit", "CProcess"])
    let expected = ImportRule.allowed.mapValues { $0.intersection(packages) }
    #expect(manifest.dependencies.filter { expected[$0.key] != nil } == expected)
  }
}
