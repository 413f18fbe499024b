import Foundation
import JSON

/// Third-party sample records, which stay outside the repository: `CLINIC_FHIR_SAMPLES` names their folder, else
/// `shared/data/fhir` is looked for in the folders around the package.
enum SampleRecords {
  static let folder: URL? = {
    let manager = FileManager.default
    if let path = ProcessInfo.processInfo.environment["CLINIC_FHIR_SAMPLES"] {
      return manager.fileExists(atPath: path) ? URL(fileURLWithPath: path) : nil
    }
    var folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    while folder.path != "/" {
      folder.deleteLastPathComponent()
      let candidate = folder.appendingPathComponent("shared/data/fhir")
      if manager.fileExists(atPath: candidate.path) { return candidate }
    }
    return nil
  }()

  /// Every resource of some types in the folder, those inside Bundles included.
  static func resources(ofTypes types: Set<String>) throws -> [JSONValue] {
    guard let folder, let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil) else {
      return []
    }
    var found: [JSONValue] = []
    for case let file as URL in files where file.pathExtension == "json" {
      let document = try JSONValue(parsing: Array(Foundation.Data(contentsOf: file)))
      let inner = (document["entry"]?.array ?? []).compactMap { $0["resource"] }
      found += ([document] + inner).filter { $0["resourceType"]?.string.map(types.contains) ?? false }
    }
    return found
  }
}
