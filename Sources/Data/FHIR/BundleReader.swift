import Domain
package import JSON

/// Takes Bundles apart (hl7.org/fhir/R4/bundle.html). What cannot be understood is set apart and stops nothing.
package enum BundleReader {
  /// Reads one Bundle; `nil` when the document is something else. Linear in its number of entries.
  package static func read(_ document: JSONValue) -> BundlePage? {
    guard document["resourceType"]?.string == "Bundle" else { return nil }
    var page = BundlePage()
    page.type = document["type"]?.string
    page.total = document["total"]?.int
    page.selfLink = link("self", document)
    page.nextLink = link("next", document)
    guard let member = document["entry"] else { return page }
    guard let entries = member.array else {
      page.warnings.append("The Bundle's entries are no list.")
      return page
    }
    for (index, entry) in entries.enumerated() { read(entry, at: index, into: &page) }
    return page
  }

  private static func read(_ entry: JSONValue, at index: Int, into page: inout BundlePage) {
    func refuse(_ reason: String) {
      page.unreadable.append(BundlePage.Unreadable(index: index, reason: reason, raw: entry))
    }
    guard entry.object != nil else { return refuse("The entry is no object.") }
    let mode = entry["search"]?["mode"]?.string
    let resource = entry["resource"]
    let request = request(entry)
    let response = response(entry)
    let isOutcome = resource?["resourceType"]?.string == "OperationOutcome"
    if mode == "outcome" || (isOutcome && response == nil) {
      if let text = resource.flatMap({ OperationOutcomeReader.text(of: $0) }) { page.warnings.append(text) }
      return
    }
    let content: BundlePage.Content
    if let resource {
      guard let type = resource["resourceType"]?.string, !type.isEmpty else {
        return refuse("The entry's resource has no type.")
      }
      let id = resource["id"]?.string.flatMap { $0.isEmpty ? nil : $0 }
      if id == nil, page.type == "searchset" || page.type == "history" {
        return refuse("The entry's \(CleanText.bounded(CleanText.line(type), limit: 40)) has no id.")
      }
      content = .resource(resource, key: id.map { ResourceKey(type: type, id: $0) })
    } else if let request, request.method == "DELETE" {
      guard let key = key(ofDeletion: request.url) else { return refuse("The deletion does not say of what.") }
      content = .deletion(key)
    } else if response != nil, page.type != "searchset" {
      content = .answer
    } else {
      return refuse("The entry holds no resource.")
    }
    if let mode, mode != "match", mode != "include" {
      page.warnings.append("Entry \(index) has an unknown search mode and is taken as included.")
    }
    page.entries.append(
      BundlePage.Entry(
        index: index, fullURL: entry["fullUrl"]?.string, mode: mode == nil || mode == "match" ? .match : .include,
        content: content, request: request, response: response))
  }

  private static func link(_ relation: String, _ document: JSONValue) -> String? {
    let links = document["link"]?.array ?? []
    return links.first { $0["relation"]?.string == relation }?["url"]?.string.flatMap { $0.isEmpty ? nil : $0 }
  }

  private static func request(_ entry: JSONValue) -> BundlePage.Request? {
    guard let request = entry["request"], let method = request["method"]?.string else { return nil }
    return BundlePage.Request(method: method, url: request["url"]?.string ?? "")
  }

  private static func response(_ entry: JSONValue) -> BundlePage.Response? {
    guard let response = entry["response"], let status = response["status"]?.string else { return nil }
    return BundlePage.Response(
      status: status, location: response["location"]?.string, etag: response["etag"]?.string,
      lastModified: response["lastModified"]?.string.flatMap(Instant.init), outcome: response["outcome"])
  }

  /// `Patient/1`, as some servers write it also with a leading slash, a base or a version.
  private static func key(ofDeletion url: String) -> ResourceKey? {
    ResourceKey(reference: String(url.drop { $0 == "/" }))
  }
}
