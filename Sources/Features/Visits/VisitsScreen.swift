public import DesignSystem
import Domain

/// The pages of the visits feature: pure functions of what is shown.
public nonisolated enum VisitsScreen {
  /// A patient's vital signs.
  public static func page(_ display: VitalsDisplay) -> Page {
    var blocks: [Block] = [.paragraph(display.patient.text), .spacer]
    if display.patientIsDeleted {
      blocks.append(.notice(Notice(.warning, "this patient's record was deleted at the server; it takes nothing new")))
    }
    blocks += [.table(table(display.entries)), .spacer]
    if !display.withdrawn.isEmpty {
      blocks += [.heading("Entered in error"), .table(table(display.withdrawn)), .spacer]
    }
    return Page(
      title: "Vital signs", blocks: blocks + display.status.blocks,
      records: (display.entries + display.withdrawn).map { ObservationRecord.record($0) }
        + [display.status.record],
      warnings: display.status.warnings)
  }

  /// One observation.
  public static func page(_ display: ObservationDisplay) -> Page {
    let entry = display.entry
    var fields = [
      Field("result", entry.result),
      Field("status", entry.status, badges: entry.isPending ? [.pending] : []), Field("measured", entry.when),
    ]
    if entry.parts.count > 1 { fields += entry.parts.map { Field($0.title.lowercased(), $0.text) } }
    if let patient = entry.patient {
      fields += [
        Field("patient", patient.displayName), Field("birth date", patient.birth),
        Field("identifier", patient.identifier ?? "none recorded"),
      ]
    } else {
      fields.append(Field("about", "\(entry.subjectText) (not known here)"))
    }
    if let interpretation = entry.interpretation { fields.append(Field("interpretation", interpretation)) }
    fields += entry.performers.map { Field("by", $0) }
    fields += entry.notes.map { Field("note", text($0)) }
    fields.append(Field("record", entry.id.key.description))
    let withdrawn: [Block] =
      entry.isWithdrawn ? [.notice(Notice(.warning, "entered in error: this is no result of the patient"))] : []
    return Page(
      title: entry.title, blocks: withdrawn + [.fields(fields), .spacer] + display.status.blocks,
      records: [ObservationRecord.record(entry), display.status.record],
      warnings: display.status.warnings)
  }

  /// Vital signs that are durable here.
  public static func page(_ recording: Recording) -> Page {
    let parts = zip(recording.readings, recording.keys).map { reading, key in
      RecordValue.object([
        Record.Field("id", .string(key.id)), Record.Field("title", .string(reading.title)),
        Record.Field("parts", .array(reading.measured.map { ObservationRecord.quantity($0.quantity) })),
      ])
    }
    return recording.echo.page(record: [
      Record.Field("effective", .string(recording.time.text)), Record.Field("observations", .array(parts)),
    ])
  }

  private static func text(_ note: ObservationEntry.Note) -> String {
    let origin = [note.author, note.time].compactMap(\.self).joined(separator: ", ")
    return origin.isEmpty ? note.text : "\(note.text) — \(origin)"
  }

  static func table(_ entries: [ObservationEntry]) -> Table {
    Table(
      columns: [
        Table.Column("measured", priority: .high), Table.Column("what", priority: .high),
        Table.Column("result", priority: .high), Table.Column("status"), Table.Column("notes", priority: .low),
      ],
      rows: entries.map { entry in
        Table.Row(
          [
            Table.Cell(entry.when), Table.Cell(entry.title),
            Table.Cell(
              entry.result, role: entry.isWithdrawn ? .muted : .plain, badges: entry.isPending ? [.pending] : []),
            Table.Cell(entry.status), Table.Cell(entry.notes.map(\.text).joined(separator: "; ")),
          ],
          target: RowTarget(kind: ClinicalObservation.resourceType, id: entry.id.rawValue))
      },
      empty: "nothing is recorded here")
  }
}
