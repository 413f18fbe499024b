import Domain
import JSON

/// What was typed to find someone, as searches of the server (hl7.org/fhir/R4/patient.html#search).
struct RemoteSearch: Hashable, Sendable {
  /// The queries: whoever any of them finds is meant.
  var queries: [String] = []

  /// How many patients one query may bring.
  static let most = 50

  init(_ text: String) {
    var common: [(name: String, value: String)] = []
    var numbers: [String] = []
    for word in text.split(whereSeparator: \.isWhitespace).map(String.init) {
      let dates = BirthDateText.readings(word)
      if !dates.isEmpty {
        common.append(("birthdate", dates.map(\.description).joined(separator: ",")))
      } else if word.contains(where: \.isNumber) {
        numbers.append(word)
      } else if word.contains(where: \.isLetter) {
        common.append(("name", SearchQuery.escaped(word)))
      }
    }
    guard !common.isEmpty || !numbers.isEmpty else { return }
    let count = [(name: "_count", value: String(Self.most))]
    if numbers.isEmpty {
      queries = [SearchQuery.encode(common + count)]
    } else {
      // A number may be an identifier or a phone number, and may have been typed with gaps.
      let spelled = [numbers.joined(separator: " "), numbers.joined()]
      let values = (spelled[0] == spelled[1] ? [spelled[0]] : spelled).map(SearchQuery.escaped).joined(separator: ",")
      queries = ["identifier", "phone"].map { SearchQuery.encode(common + [($0, values)] + count) }
    }
  }

  /// The searches for whom the server may know already, before a registration is sent.
  init(likenessesOf patient: Patient) {
    let count = [(name: "_count", value: String(Self.most))]
    for identifier in patient.identifier {
      guard let system = identifier.system?.nonBlank, let value = identifier.value?.nonBlank,
        RequestBuilder.localID(system: system, value: value) == nil
      else { continue }
      queries.append(
        SearchQuery.encode(
          [("identifier", SearchQuery.escaped(system) + "|" + SearchQuery.escaped(value))] + count))
    }
    // Without an identifier, only who was born on the same day is likely to be the same.
    guard let birthDate = patient.birthDate.value, birthDate.exactDay != nil, !patient.name.isEmpty else { return }
    queries.append(SearchQuery.encode([("birthdate", birthDate.description)] + count))
  }
}

extension Revalidator {
  /// Asks the server for patients, and keeps whom it names.
  func search(_ search: RemoteSearch) async throws(AppError) -> [ResourceKey] {
    var found: [ResourceKey] = []
    for query in search.queries {
      let asked = try await store.read { transaction throws(AppError) in try transaction.readMark() }
      let answer = try await client.reading("\(Patient.resourceType)?\(query)", unless: nil)
      guard answer.status == 200, let page = answer.document.flatMap(BundleReader.read) else {
        throw ServerWords.halt(answer)?.error ?? AppError(.refused, ServerWords.describe(answer))
      }
      let documents = page.matches.compactMap { entry -> (ResourceKey, JSONValue)? in
        guard case .resource(let document, let key?) = entry.content, key.type == Patient.resourceType,
          !document.isSubsetted
        else { return nil }
        return (key, document)
      }
      found += documents.map(\.0).filter { !found.contains($0) }
      try await store.write(durability: .normal) { transaction throws(AppError) in
        for (key, document) in documents {
          _ = try transaction.receivePulled(document, key, etag: nil, asked: asked)
        }
      }
    }
    return found
  }
}
