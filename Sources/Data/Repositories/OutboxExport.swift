import Domain
import JSON

extension StoreTransaction {
  /// Everything that the server has not accepted, as one transaction that another client could send
  /// (hl7.org/fhir/R4/http.html#transaction); each record once, as its edits together make it.
  ///
  /// - Parameter base: the server's base URL; `nil` when none was ever named.
  func exportBundle(base: String?) throws(AppError) -> JSONValue {
    let knowledge = try serverKnowledge()
    var parts: [TransactionBundle.Part] = []
    var seen: Set<ResourceKey> = []
    for first in try outboxEntries() where seen.insert(first.key).inserted {
      guard let entry = try combined(first), let record = try resource(first.key),
        let attempt = RequestBuilder.attempt(
          for: entry, base: record.base, etag: record.etag, server: knowledge, id: entry.entry)
      else { continue }
      parts.append(TransactionBundle.Part(entry: entry, attempt: attempt))
    }
    do throws(JSONError) {
      return try TransactionBundle.make(parts, base: base ?? "urn:uuid", ownBase: base ?? ownBase)
    } catch {
      throw AppError(.internalFault, "what is unsent cannot be written as a Bundle: \(error.message)")
    }
  }

  /// All entries on a record as one; `nil` when together they change nothing.
  private func combined(_ first: OutboxEntry) throws(AppError) -> OutboxEntry? {
    let base = try resource(first.key)?.base
    let view = try outboxEntries(on: first.key).reduce(base) { $1.patch.apply(to: $0) }
    var entry = first
    if first.kind == .create {
      guard let view else { return nil }
      entry.patch = .create(view)
    } else if let base, let view {
      entry.patch = .update(PatchDiff.edits(from: base, to: view))
    } else {
      entry.patch = .delete
    }
    entry.kind = entry.patch.kind
    return entry
  }
}
