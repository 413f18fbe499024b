import Domain
import JSON

extension StoreTransaction {
  /// Joins a registration that was never sent to a patient who is known, with everything that hangs on it.
  func merge(_ registration: Patient.ID, into known: Patient.ID, by author: Author) throws(AppError) -> PatientMerge {
    let source = try visibleResource(registration.key)
    let target = try visibleResource(known.key)
    guard source.key != target.key else {
      throw AppError(.invalidInput, "both are the record \(target.key)", field: "into")
    }
    let entries = try outboxEntries(on: source.key)
    guard source.state == .unknown, let create = entries.first, create.kind == .create else {
      throw AppError(
        .notAllowed, "\(source.key) is at the server already: records that are there are merged there",
        hint: "only a registration that was never sent can be joined to another patient")
    }
    for frozen in entries where try mayBeAtServer(frozen) {
      throw AppError(
        .notAllowed, "entry \(frozen.number), the registration of \(source.key), may be at the server already",
        hint: "sync first: it is found out then what became of it")
    }
    var warnings: [String] = []
    guard let view = source.view, let person = Patient.decode(view, warnings: &warnings), let other = target.view,
      let patient = Patient.decode(other, warnings: &warnings)
    else { throw AppError(.internalFault, "the records cannot be read as patients") }
    for entry in entries { try removeAuthorships(of: entry, outcome: "joined to \(target.key)") }
    let moved = try all(
      "SELECT number FROM outbox_reference WHERE type = ? AND id = ? ORDER BY number",
      [.text(source.key.type), .text(source.key.id)]
    ) { row throws(SQLiteError) in row.integer(0) }
    for entry in entries {
      try remove(entry, outcome: "joined to \(target.key)")
      try audit("merge", source.key, number: entry.number, elements: target.key.description, author: author)
    }
    try replace(source, by: target.key)
    try markOpened(target.key)
    return PatientMerge(
      registration: person, known: patient, moved: moved.filter { number in !entries.contains { $0.number == number } })
  }

  /// Whether an entry's request may have been applied: it is with the server, or nobody knows.
  private func mayBeAtServer(_ entry: OutboxEntry) throws(AppError) -> Bool {
    switch entry.state {
    case .sending, .ambiguous: true
    case .pending: false
    case .review:
      switch try openReviewItem(ofEntry: entry.number)?.kind {
      case .unresolved, .doubleMatch: true
      default: false
      }
    }
  }

  /// A record that the server never had gives way to another: in what refers to it, and by its id.
  private func replace(_ record: ResourceRecord, by key: ResourceKey) throws(AppError) {
    try deriveIndexes(of: record.key, rowID: record.rowID, view: nil)
    try run("DELETE FROM resource WHERE rowid = ?", [.integer(record.rowID)])
    try run(
      "UPDATE alias SET id = ? WHERE type = ? AND id = ?",
      [.text(key.id), .text(record.key.type), .text(record.key.id)])
    try run(
      "INSERT OR REPLACE INTO alias (type, alias, id) VALUES (?, ?, ?)",
      [.text(record.key.type), .text(record.key.id), .text(key.id)])
    try rewriteReferences(from: record.key, to: key)
    note(key)
  }
}
