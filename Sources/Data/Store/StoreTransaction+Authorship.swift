import Domain
import JSON

extension StoreTransaction {
  static let provenance = "Provenance"

  /// The elements of a type that name its author (hl7.org/fhir/R4/provenance.html, "Provenance and the other resources").
  /// The practitioner of an appointment or a visit is who sees the patient, not who wrote it down.
  private static let authorElements: [String: Set<String>] = [
    "Observation": ["performer"], "Condition": ["recorder", "asserter"],
    "AllergyIntolerance": ["recorder", "asserter"], "MedicationRequest": ["requester", "recorder"],
    "Immunization": ["performer"], "DocumentReference": ["author", "authenticator"],
  ]

  /// Writes down who created a record, where the record itself does not say it.
  func attributeCreate(_ key: ResourceKey, _ document: JSONValue, summary: String, _ context: WriteContext)
    throws(AppError)
  {
    let elements = Self.authorElements[key.type] ?? []
    let named = (document.object?.members ?? []).contains { member in
      elements.contains(member.key) && names(context.author, member.value)
    }
    // Before anyone signs in, there is nobody to name but the machine's user, whom a server does not know.
    guard context.recordsAuthor, context.author.practitioner != nil, !named else { return }
    try attribute(key, activity: "CREATE", summary: summary, context)
  }

  /// Writes down who changed a record, where the change itself does not say it.
  func attributeUpdate(
    _ key: ResourceKey, _ edits: [ElementEdit], number: OutboxNumber, summary: String, _ context: WriteContext
  ) throws(AppError) {
    guard context.recordsAuthor, context.author.practitioner != nil, let entry = try outboxEntry(number) else { return }
    let elements = (Self.authorElements[key.type] ?? []).union(["note"])
    let named = edits.contains { edit in
      guard let new = edit.new else { return false }
      return elements.contains(String(edit.path.description.prefix { $0.isLetter })) && names(context.author, new)
    }
    // One that stands for the same unsent entry tells all of it.
    guard try authorships(of: entry).isEmpty else { return }
    var same = context
    same.action = entry.action
    if case .create(let document) = entry.patch {
      try attributeCreate(key, document, summary: summary, same)
    } else if !named {
      try attribute(key, activity: "UPDATE", summary: summary, same)
    }
  }

  /// Writes down who wrote the entries that a service is about to send for others.
  func attributeForeign(to service: Author) throws(AppError) {
    for entry in try outboxEntries()
    where entry.state == .pending && !entry.wasSent && entry.kind != .delete && entry.key.type != Self.provenance
      && !entry.author.isSameUser(as: service)
    {
      guard try authorships(of: entry).isEmpty else { continue }
      try attribute(
        entry.key, activity: entry.kind == .create ? "CREATE" : "UPDATE", sentBy: service, summary: entry.summary,
        WriteContext(author: entry.author, action: entry.action))
    }
  }

  /// The unsent Provenances that stand for an entry.
  func authorships(of entry: OutboxEntry) throws(AppError) -> [OutboxEntry] {
    guard entry.key.type != Self.provenance else { return [] }
    let numbers = try all(
      """
      SELECT o.number FROM outbox_reference r JOIN outbox o ON o.number = r.number
      WHERE r.type = ? AND r.id = ? AND o.action = ? AND o.type = ? ORDER BY o.number
      """, [.text(entry.key.type), .text(entry.key.id), .text(entry.action), .text(Self.provenance)]
    ) { row throws(SQLiteError) in row.integer(0) }
    var found: [OutboxEntry] = []
    for number in numbers { if let entry = try outboxEntry(number) { found.append(entry) } }
    return found
  }

  /// Takes the Provenances back that stand for an entry which is taken back.
  func removeAuthorships(of entry: OutboxEntry, outcome: String) throws(AppError) {
    for authorship in try authorships(of: entry) where !authorship.isFrozen {
      try removeAuthorship(authorship, outcome: outcome)
    }
  }

  /// Takes a Provenance back, with the row that was made for it: the server never had it, and nobody refers to it.
  func removeAuthorship(_ entry: OutboxEntry, outcome: String) throws(AppError) {
    try remove(entry, outcome: outcome)
    try run(
      "DELETE FROM resource WHERE type = ? AND id = ? AND base IS NULL", [.text(entry.key.type), .text(entry.key.id)])
  }

  /// Takes the Provenances back that were never sent, where the server says that it takes none.
  func dropUnwantedAuthorships() throws(AppError) {
    if try mayTakeProvenance() { return }
    for entry in try outboxEntries()
    where entry.key.type == Self.provenance && entry.state == .pending && !entry.wasSent {
      try removeAuthorship(entry, outcome: "left out: the server takes no Provenance")
    }
  }

  /// Whether the server takes Provenance, or was never asked.
  private func mayTakeProvenance() throws(AppError) -> Bool {
    guard try capabilitiesReadAt() != nil else { return true }
    return try serverKnowledge().capabilities?.types[Self.provenance]?.allows("create") == true
  }

  private func attribute(
    _ key: ResourceKey, activity: String, sentBy service: Author? = nil, summary: String, _ context: WriteContext
  ) throws(AppError) {
    guard key.type != Self.provenance, try mayTakeProvenance() else { return }
    var agents = [agent("author", who(context.author))]
    if let service { agents.append(agent("transmitter", who(service))) }
    let document: JSONValue = [
      "resourceType": .string(Self.provenance),
      "target": .array([["reference": .string(key.description)]]),
      "recorded": .string(now.text),
      "activity": [
        "coding": .array([
          [
            "system": "http://terminology.hl7.org/CodeSystem/v3-DataOperation", "code": .string(activity),
          ]
        ])
      ],
      "agent": .array(agents),
    ]
    _ = try create(document, type: Self.provenance, summary: "authorship of \(summary)", context)
  }

  private func agent(_ role: String, _ who: JSONValue) -> JSONValue {
    [
      "type": [
        "coding": .array([
          [
            "system": "http://terminology.hl7.org/CodeSystem/provenance-participant-type", "code": .string(role),
          ]
        ])
      ],
      "who": who,
    ]
  }

  private func who(_ author: Author) -> JSONValue {
    if let practitioner = author.practitioner {
      return ["reference": .string(practitioner.key.description), "display": .string(author.displayName)]
    }
    var identifier: JSONObject = [:]
    // A system is a URI: the operating system's users have none.
    if author.issuer.contains(":") { identifier["system"] = .string(author.issuer) }
    identifier["value"] = .string(author.subject)
    return ["identifier": .object(identifier), "display": .string(author.displayName)]
  }

  private func names(_ author: Author, _ value: JSONValue) -> Bool {
    guard let practitioner = author.practitioner else { return false }
    return FHIRReference.keys(in: value, ownBase: ownBase).contains(practitioner.key)
  }
}

extension Author {
  /// Whether both are one user, whatever is known of the practitioner.
  func isSameUser(as other: Author) -> Bool { issuer == other.issuer && subject == other.subject }
}
