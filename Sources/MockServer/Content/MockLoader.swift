internal import Foundation
public import JSON

/// One record to load; without a resource, its deletion.
public struct LoadedRecord: Sendable, Equatable {
  /// The resource's type.
  public var type: String
  /// The id under which it is loaded.
  public var id: String
  /// The document, or nil for a deletion.
  public var resource: JSONValue?

  var key: MockKey { MockKey(type, id) }
}

/// Reads FHIR files: `*.json` with a resource or a Bundle of any type, `*.ndjson` with one of them a line.
///
/// A Bundle is taken apart: its entries are loaded, with their own ids or, without one, the id of their full URL; references to full URLs
/// become relative ones. The entries of a history are loaded oldest first, deletions included. The server sets `meta.versionId` and
/// `meta.lastUpdated` itself; everything else of a document is kept.
public struct MockLoader: Sendable {
  /// What was read, in the order of file names.
  public private(set) var records: [LoadedRecord] = []
  /// What could not be used, with the file's name.
  public private(set) var problems: [String] = []

  /// A loader that has read nothing.
  public init() {}

  /// Reads every file below a directory, in the order of their names. Files of other kinds are passed over; files that are no FHIR resources
  /// are noted in `problems`.
  public mutating func read(directory: String) {
    guard let paths = try? FileManager.default.subpathsOfDirectory(atPath: directory) else {
      problems.append("\(directory): cannot be read as a directory")
      return
    }
    for path in paths.sorted() where path.hasSuffix(".json") || path.hasSuffix(".ndjson") {
      var isDirectory: ObjCBool = false
      let full = "\(directory)/\(path)"
      if FileManager.default.fileExists(atPath: full, isDirectory: &isDirectory), isDirectory.boolValue { continue }
      read(file: full)
    }
    resolveConditionalReferences()
  }

  private mutating func read(file: String) {
    guard let data = FileManager.default.contents(atPath: file) else {
      problems.append("\(file): cannot be read")
      return
    }
    guard file.hasSuffix(".ndjson") else {
      read([UInt8](data), from: file)
      return
    }
    for (number, line) in [UInt8](data).split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
      if !line.allSatisfy({ $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }) {
        read(Array(line), from: "\(file):\(number + 1)")
      }
    }
  }

  private mutating func read(_ bytes: [UInt8], from place: String) {
    do {
      add(try JSONValue(parsing: bytes, limits: JSONLimits(depth: 500)), from: place)
    } catch {
      problems.append("\(place): \(error)")
    }
  }

  /// Adds one document, as if it came from a file of that name.
  public mutating func add(_ document: JSONValue, from place: String) {
    guard let type = document["resourceType"]?.string, ResourceType.isKnown(type) else {
      problems.append("\(place): not a FHIR R4 resource")
      return
    }
    if type == "Bundle" {
      add(bundle: document, from: place)
    } else {
      records.append(LoadedRecord(type: type, id: Self.id(document, fullUrl: nil, place: place), resource: document))
    }
  }

  private mutating func add(bundle: JSONValue, from place: String) {
    var entries = bundle["entry"]?.array ?? []
    if bundle["type"]?.string == "history" { entries.reverse() }
    var targets: [String: String] = [:]
    var found: [LoadedRecord] = []
    for (index, entry) in entries.enumerated() {
      let fullUrl = entry["fullUrl"]?.string
      if let resource = entry["resource"] {
        guard let type = resource["resourceType"]?.string, ResourceType.isKnown(type) else {
          problems.append("\(place): entry \(index) is not a FHIR R4 resource")
          continue
        }
        let record = LoadedRecord(
          type: type, id: Self.id(resource, fullUrl: fullUrl, place: "\(place)#\(index)"), resource: resource)
        found.append(record)
        if let fullUrl { targets[fullUrl] = record.key.path }
      } else if entry["request"]?["method"]?.string == "DELETE",
        let key = (entry["request"]?["url"]?.string).flatMap({ MockKey(reference: $0) })
      {
        found.append(LoadedRecord(type: key.type, id: key.id, resource: nil))
      }
    }
    records += found.map { record in
      LoadedRecord(type: record.type, id: record.id, resource: record.resource.map { References.replace($0, targets) })
    }
  }

  /// The resource's own id, that of its full URL, or one made from the place.
  private static func id(_ resource: JSONValue, fullUrl: String?, place: String) -> String {
    if let id = resource["id"]?.string, ResourceType.isId(id) { return id }
    if let fullUrl {
      let name = fullUrl.hasPrefix("urn:uuid:") ? String(fullUrl.dropFirst(9)) : MockKey(reference: fullUrl)?.id
      if let name, ResourceType.isId(name) { return name }
    }
    return "file-\(Hex.hash(Array(place.utf8)))"
  }

  /// References such as `Practitioner?identifier=…` become the record that they find among everything that was read.
  private mutating func resolveConditionalReferences() {
    let isConditional = { (reference: String) in reference.contains("?") && !reference.contains(":/") }
    let holders = records.indices.filter {
      records[$0].resource.map(References.all)?.contains(where: isConditional) == true
    }
    guard !holders.isEmpty else { return }
    var state = MockState(profile: .standard, clock: MockClock(), seed: 0)
    for record in records { state.load(record.resource, at: record.key, time: 0) }
    let call = Call(method: "GET", target: "", segments: [], query: [], headers: [:], body: .bytes([]), base: "")
    for holder in holders {
      records[holder].resource = records[holder].resource.map { resource in
        References.map(resource) { reference in
          let halves = reference.split(separator: "?", maxSplits: 1)
          guard isConditional(reference), halves.count == 2, ResourceType.isKnown(halves[0]) else { return reference }
          return (try? state.match(String(halves[0]), QueryItem.parse(halves[1]), call))?.path ?? reference
        }
      }
    }
  }
}
