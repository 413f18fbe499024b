public import DesignSystem
public import Domain

/// The pages of the patients feature: pure functions of what is shown.
public nonisolated enum PatientsScreen {
  /// A list of patients.
  public static func page(_ display: PatientsDisplay) -> Page {
    let tellsReasons = display.rows.contains { !$0.foundBy.isEmpty }
    let rows = display.rows.map { row in
      Table.Row(
        [
          Table.Cell(row.identity.displayName, badges: badges(row)),
          Table.Cell(row.identity.birth),
          Table.Cell(row.gender ?? ""),
          Table.Cell(row.identity.identifier ?? ""),
          Table.Cell(row.phone ?? ""),
        ] + (tellsReasons ? [Table.Cell(row.foundBy.joined(separator: "; "))] : []),
        target: RowTarget(kind: Patient.resourceType, id: row.identity.id.rawValue))
    }
    let table = Table(
      columns: [
        Table.Column("name", priority: .high), Table.Column("birth date", priority: .high), Table.Column("gender"),
        Table.Column("identifier", priority: .high), Table.Column("phone", priority: .low),
      ] + (tellsReasons ? [Table.Column("found by")] : []),
      rows: rows, empty: empty(display))
    return Page(
      title: title(display),
      blocks: [.table(table), .spacer] + notes(display) + display.status.blocks,
      records: display.rows.map(record) + [display.status.record],
      warnings: display.status.warnings)
  }

  /// One patient.
  public static func page(_ display: PatientDisplay) -> Page {
    var fields = [
      Field("birth date", display.identity.birth),
      Field("gender", display.gender ?? ""),
    ]
    if let deceased = display.deceased { fields.append(Field("deceased", deceased, role: .danger)) }
    fields += display.names.map { Field("name", $0) }
    fields += display.identifiers.map { Field("identifier", $0) }
    fields += display.contacts.map { Field($0.label, $0.value) }
    fields += display.addresses.map { Field("address", $0) }
    fields += display.links.map { Field("other record", $0) }
    fields.append(Field("record", display.identity.id.key.description))
    let notices = display.notices.map { Block.notice(Notice(.warning, $0.text, next: $0.next)) }
    return Page(
      title: display.identity.displayName,
      blocks: notices + [.fields(fields), .spacer] + display.status.blocks,
      records: [PatientRecord.record(display), display.status.record],
      warnings: display.status.warnings)
  }

  /// The registration, as a line front presents it: with what was entered and is not saved yet.
  public static func registration(_ unsaved: UnsavedEntry?) -> Page {
    Page(
      title: "Register a patient",
      blocks: (unsaved?.blocks ?? [
        .paragraph("A registration is one line. Give what is known; a birth date may be a year or a month."),
        .commandLines(PatientsCommands.registerSpec.examples),
      ]) + [.notice(Notice(.info, "\"help patients register\" explains the options", next: "back"))])
  }

  private static func title(_ display: PatientsDisplay) -> String {
    switch display.heading {
    case .search(let text, _): "Patients matching \"\(text)\""
    case .recent: "Recent patients"
    }
  }

  private static func empty(_ display: PatientsDisplay) -> String {
    switch display.heading {
    case .search(let text, _): "no patient here matches \"\(text)\""
    case .recent: "no patient was opened here yet; find one with: patients search TEXT"
    }
  }

  private static func notes(_ display: PatientsDisplay) -> [Block] {
    guard case .search(_, let limit) = display.heading, display.rows.count >= limit else { return [] }
    return [.notice(Notice(.info, "only the first \(limit) are shown", next: "type more of the name, or --limit N"))]
  }

  private static func badges(_ row: PatientRow) -> [Badge] {
    var badges: [Badge] = []
    if row.isPending { badges.append(.pending) }
    if row.isDeceased { badges.append(Badge("deceased", role: .danger)) }
    if row.isOutOfUse { badges.append(Badge("out of use", role: .muted)) }
    return badges
  }

  private static func record(_ row: PatientRow) -> Record {
    Record(
      "patient",
      [
        "id": .string(row.identity.id.rawValue), "name": .optional(row.identity.name),
        "birthDate": .optional(row.identity.birthDate),
        "birthDateAbsentReason": .optional(row.identity.birthDateAbsentReason), "gender": .optional(row.gender),
        "identifier": .optional(row.identity.identifier), "phone": .optional(row.phone),
        "deceased": .bool(row.isDeceased), "inUse": .bool(!row.isOutOfUse), "pending": .bool(row.isPending),
        "foundBy": .strings(row.foundBy),
      ])
  }
}
