package import JSON

/// Reads a CapabilityStatement. What it does not say, or says in a wrong form, counts as not said.
package enum CapabilityReader {
  /// The server's claims; `nil` when the document is no CapabilityStatement.
  package static func read(_ document: JSONValue) -> ServerCapabilities? {
    guard document["resourceType"]?.string == "CapabilityStatement" else { return nil }
    var capabilities = ServerCapabilities()
    capabilities.fhirVersion = document["fhirVersion"]?.string
    let software = [document["software"]?["name"]?.string, document["software"]?["version"]?.string]
      .compactMap { $0.map(CleanText.line) }.filter { !$0.isEmpty }
    capabilities.software = software.isEmpty ? nil : CleanText.bounded(software.joined(separator: " "), limit: 80)
    let rest = document["rest"]?.array ?? []
    // A statement may also describe a client; one without a mode can only mean the server that gave it.
    guard let server = rest.first(where: { ($0["mode"]?.string ?? "server") == "server" }) else { return capabilities }
    let system = codes(server["interaction"])
    capabilities.transaction = system.contains("transaction")
    capabilities.batch = system.contains("batch")
    capabilities.historySystem = system.contains("history-system")
    let common = names(server["searchParam"])
    for resource in server["resource"]?.array ?? [] {
      guard let type = resource["type"]?.string else { continue }
      capabilities.types[type] = typeCapabilities(resource, common: common)
    }
    return capabilities
  }

  private static func typeCapabilities(_ resource: JSONValue, common: Set<String>) -> TypeCapabilities {
    var type = TypeCapabilities()
    type.interactions = codes(resource["interaction"])
    type.updateCreate = resource["updateCreate"]?.bool
    type.conditionalCreate = resource["conditionalCreate"]?.bool
    type.conditionalUpdate = resource["conditionalUpdate"]?.bool
    type.versioning = resource["versioning"]?.string
    type.readHistory = resource["readHistory"]?.bool
    type.conditionalRead = resource["conditionalRead"]?.string
    type.searchParameters = names(resource["searchParam"]).union(common)
    return type
  }

  private static func codes(_ interactions: JSONValue?) -> Set<String> {
    Set((interactions?.array ?? []).compactMap { $0["code"]?.string })
  }

  private static func names(_ parameters: JSONValue?) -> Set<String> {
    Set((parameters?.array ?? []).compactMap { $0["name"]?.string })
  }
}
