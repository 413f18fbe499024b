public import DesignSystem
import Domain

extension VisitsScreen {
  /// The open visits.
  public static func page(_ display: VisitsDisplay) -> Page {
    Page(
      title: "Open visits",
      blocks: [
        .table(
          Table(
            columns: [
              Table.Column("patient", priority: .high), Table.Column("when", priority: .high), Table.Column("status"),
              Table.Column("reason", priority: .low), Table.Column("with", priority: .low),
            ],
            rows: display.entries.map { entry in
              Table.Row(
                [
                  Table.Cell(entry.patient?.text ?? entry.patientText), Table.Cell(entry.when),
                  Table.Cell(entry.status, badges: entry.isPending ? [.pending] : []), Table.Cell(entry.reason ?? ""),
                  Table.Cell(entry.participants.joined(separator: ", ")),
                ], target: RowTarget(kind: Encounter.resourceType, id: entry.id.rawValue))
            }, empty: "nobody is here; begin with: visits start REF")), .spacer,
      ] + display.status.blocks,
      records: display.entries.map(\.record) + [display.status.record], warnings: display.status.warnings)
  }

  /// One visit.
  public static func page(_ display: VisitDisplay) -> Page {
    let entry = display.entry
    var fields = [Field("status", entry.status, badges: entry.isPending ? [.pending] : []), Field("when", entry.when)]
    fields += patientFields(entry.patient, entry.patientText)
    if let reason = entry.reason { fields.append(Field("reason", reason)) }
    fields += entry.participants.map { Field("with", $0) }
    fields += entry.locations.map { Field("at", $0) }
    if let appointment = entry.appointment { fields.append(Field("appointment", appointment.key.description)) }
    fields.append(Field("record", entry.id.key.description))
    var blocks: [Block] = []
    if entry.isWithdrawn {
      blocks.append(.notice(Notice(.warning, "entered in error: this is no visit of the patient")))
    }
    blocks += [
      .fields(fields), .spacer, .heading("Vital signs"), .table(table(display.vitals.filter { !$0.isWithdrawn })),
    ]
    blocks += [.spacer, .heading("Notes")]
    let standing = display.notes.filter { !$0.isWithdrawn }
    blocks += standing.isEmpty ? [.paragraph("none recorded", role: .muted)] : standing.flatMap(noteBlocks)
    if entry.isOpen, !display.missing.isEmpty {
      blocks += [.spacer, .heading("Missing before it is finished"), .list(display.missing)]
    }
    let withdrawn = display.vitals.filter(\.isWithdrawn)
    if !withdrawn.isEmpty || display.notes.contains(where: \.isWithdrawn) {
      blocks += [.spacer, .heading("Entered in error")]
      if !withdrawn.isEmpty { blocks.append(.table(table(withdrawn))) }
      blocks += display.notes.filter(\.isWithdrawn).flatMap(noteBlocks)
    }
    return Page(
      title: entry.title, blocks: blocks + [.spacer] + display.status.blocks,
      records: [entry.record] + display.vitals.map(ObservationRecord.record) + display.notes.map(\.record)
        + [display.status.record],
      warnings: display.status.warnings)
  }

  /// One note.
  public static func page(_ display: NoteDisplay) -> Page {
    let entry = display.entry
    var fields = [
      Field("state", entry.state, badges: entry.isPending ? [.pending] : []), Field("written", entry.when),
    ]
    fields += entry.authors.map { Field("by", $0) }
    fields += patientFields(entry.patient, entry.patientText)
    if let visit = entry.visit { fields.append(Field("visit", visit.key.description)) }
    if let original = entry.appendedTo { fields.append(Field("adds to", original.key.description)) }
    fields.append(Field("record", entry.id.key.description))
    var blocks: [Block] = []
    if entry.isWithdrawn { blocks.append(.notice(Notice(.warning, "entered in error: not to be relied on"))) }
    blocks += [.fields(fields), .spacer, .paragraph(entry.shownText, role: entry.text == nil ? .muted : .plain)]
    if !display.addenda.isEmpty {
      blocks += [.spacer, .heading("Addenda")] + display.addenda.flatMap(noteBlocks)
    }
    return Page(
      title: entry.title, blocks: blocks + [.spacer] + display.status.blocks,
      records: ([entry] + display.addenda).map(\.record) + [display.status.record],
      warnings: display.status.warnings)
  }

  private static func noteBlocks(_ note: NoteEntry) -> [Block] {
    let origin = ([note.when, note.state] + note.authors).joined(separator: ", ")
    return [
      .paragraph("\(note.title) (\(origin), \(note.id.key))", role: .muted),
      .paragraph(note.shownText, role: note.text == nil || note.isWithdrawn ? .muted : .plain),
    ]
  }

  private static func patientFields(_ patient: PatientIdentity?, _ text: String) -> [Field] {
    guard let patient else { return [Field("patient", "\(text) (not known here)")] }
    return [
      Field("patient", patient.displayName), Field("birth date", patient.birth),
      Field("identifier", patient.identifier ?? "none recorded"),
    ]
  }
}
