public import DesignSystem
import Domain

/// The pages of the visits feature: pure functions of what is shown.
public nonisolated enum VisitsScreen {
  /// Where the feature begins.
  public static var overview: Page {
    Page(
      title: "Vital signs",
      blocks: [
        .paragraph("Vital signs are recorded for one patient in one line, and shown by patient."),
        .commandLines(VisitsCommands.addSpec.examples + VisitsCommands.showSpec.examples),
      ])
  }

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

  private static func table(_ entries: [ObservationEntry]) -> Table {
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

/// Observations for programs.
nonisolated enum ObservationRecord {
  static func record(_ entry: ObservationEntry) -> Record {
    Record(
      "observation",
      [
        "id": .string(entry.id.rawValue), "title": .string(entry.title), "code": .optional(entry.code),
        "status": .string(entry.status), "effective": .optional(entry.effective),
        "patient": entry.patient?.record ?? .null, "result": .string(entry.result),
        "parts": .array(entry.parts.map(part)), "interpretation": .optional(entry.interpretation),
        "performers": .strings(entry.performers), "notes": .array(entry.notes.map(note)),
        "pending": .bool(entry.isPending), "enteredInError": .bool(entry.isWithdrawn),
      ])
  }

  static func quantity(_ quantity: Quantity) -> RecordValue {
    [
      "value": quantity.value.map { .decimal($0.text) } ?? .null, "unit": .optional(quantity.unit),
      "code": .optional(quantity.code), "comparator": .optional(quantity.comparator?.rawValue),
    ]
  }

  private static func part(_ part: ObservationEntry.Part) -> RecordValue {
    [
      "title": .string(part.title), "code": .optional(part.code), "text": .string(part.text),
      "quantity": part.quantity.map(quantity) ?? .null,
    ]
  }

  private static func note(_ note: ObservationEntry.Note) -> RecordValue {
    ["text": .string(note.text), "author": .optional(note.author), "time": .optional(note.recordedTime)]
  }
}
