import Domain
import JSON

/// ``PractitionerRepository`` over the store.
struct PractitionerStore: PractitionerRepository {
  let context: StoreContext

  func practitioner(_ id: Practitioner.ID, policy: ReadPolicy) -> Snapshots<Practitioner> {
    context.one(id, policy: policy) { practitioner, _, _ in practitioner }
  }

  func practitioners(policy: ReadPolicy) -> Snapshots<[Practitioner]> {
    context.directory(policy: policy)
  }
}

/// ``LocationRepository`` over the store.
struct LocationStore: LocationRepository {
  let context: StoreContext

  func location(_ id: Location.ID, policy: ReadPolicy) -> Snapshots<Location> {
    context.one(id, policy: policy) { location, _, _ in location }
  }

  func locations(policy: ReadPolicy) -> Snapshots<[Location]> {
    context.directory(policy: policy)
  }
}

extension StoreContext {
  /// All records of a directory type, by name.
  fileprivate func directory<Model: StoredModel>(policy: ReadPolicy) -> Snapshots<[Model]> {
    list(all: Model.resourceType, policy: policy) { transaction, notes throws(AppError) -> [Model] in
      let rows = try transaction.all(
        "SELECT resource FROM directory WHERE type = ? ORDER BY sort_name, resource", [.text(Model.resourceType)]
      ) { row throws(SQLiteError) in row.integer(0) }
      var found: [Model] = []
      for row in rows {
        guard let record = try transaction.resource(rowID: row), let view = record.view,
          let model = Model.decode(view, warnings: &notes.warnings)
        else { continue }
        notes.count(record)
        found.append(model)
      }
      return found
    }
  }
}

/// ``RecordResolving`` over the store.
struct StoreResolver: RecordResolving {
  let context: StoreContext

  func resolve(_ word: String, type: String) async throws(AppError) -> ResourceKey {
    let named = ResourceKey(reference: word)
    if let named, named.type != type {
      throw AppError(.invalidInput, "\"\(word)\" is of type \(named.type), where \(type) is meant")
    }
    let id = named?.id ?? word
    return try await context.store.read { transaction throws(AppError) in
      if let record = try transaction.resource(ResourceKey(type: type, id: id)) { return record.key }
      let found = try transaction.keys(ofType: type, identifier: word)
      if found.count == 1, let only = found.first { return only }
      if found.count > 1 {
        throw AppError(
          .ambiguous,
          "\"\(word)\" is an identifier of \(found.count) records: "
            + found.map(\.id).sorted().joined(separator: ", "), hint: "name one by its id")
      }
      guard id.isFHIRID else {
        throw AppError(
          .notFound, "no \(type) is known as \"\(word)\"", hint: "search for it, then use its id or its row")
      }
      return ResourceKey(type: type, id: id)
    }
  }
}

extension StoreTransaction {
  /// The visible records of a type that carry an identifier, by its value without separators.
  fileprivate func keys(ofType type: String, identifier: String) throws(AppError) -> [ResourceKey] {
    // One record may carry the same value in two systems.
    let found = try all(
      "SELECT r.id FROM identifier i JOIN resource r ON r.rowid = i.resource WHERE i.type = ? AND i.value = ?",
      [.text(type), .text(TextFolding.tokens(identifier).joined())]
    ) { row throws(SQLiteError) in row.text(0) }
    return Set(found).sorted().map { ResourceKey(type: type, id: $0) }
  }
}

extension String {
  /// Whether the text has the form of an id (hl7.org/fhir/R4/datatypes.html#id).
  fileprivate var isFHIRID: Bool {
    (1...64).contains(utf8.count)
      && utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
          true
        default: false
        }
      }
  }
}
