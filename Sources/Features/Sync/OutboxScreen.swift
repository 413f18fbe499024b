public import DesignSystem
public import Domain

/// The pages of the outbox: pure functions of what is shown.
public nonisolated enum OutboxScreen {
  /// All entries.
  public static func page(_ display: OutboxDisplay) -> Page {
    let rows = display.items.map { item in
      Table.Row([
        Table.Cell(String(item.number)), state(item), Table.Cell(item.summary),
        Table.Cell(display.zone.text(item.writtenAt)), Table.Cell(item.author.displayName),
        Table.Cell(waiting(item, zone: display.zone) ?? item.reason ?? ""),
      ])
    }
    let table = Table(
      columns: [
        Table.Column("entry", alignment: .trailing, priority: .high), Table.Column("state", priority: .high),
        Table.Column("what", priority: .high), Table.Column("written"), Table.Column("by", priority: .low),
        Table.Column("waits for", priority: .low),
      ], rows: rows, empty: "nothing is unsent")
    return Page(
      title: "Outbox", blocks: [.table(table)], records: display.items.map { record($0, zone: display.zone) })
  }

  /// One entry.
  public static func page(_ display: OutboxItemDisplay) -> Page {
    Page(
      title: "Outbox entry \(display.detail.item.number)", blocks: blocks(display.detail, zone: display.zone),
      records: [record(display.detail, zone: display.zone)])
  }

  /// Entries that were discarded.
  public static func page(discarded items: [OutboxItem], zone: ClinicZone) -> Page {
    let lines = items.map { "\($0.number): \($0.summary)" }
    let what = items.count == 1 ? "1 entry was discarded" : "\(items.count) entries were discarded"
    return Page(
      blocks: [.notice(Notice(.success, what)), .list(lines)],
      records: items.map { item in
        var discarded = record(item, zone: zone)
        discarded.kind = "discardedEntry"
        return discarded
      })
  }

  /// What was written into a file.
  public static func page(_ export: OutboxExport) -> Page {
    var blocks: [Block] = [
      .notice(Notice(.success, "what is unsent was written to \(export.file)")),
      .fields([Field("entries", String(export.entries)), Field("records", String(export.records))]),
      .paragraph("Nothing was sent, and the outbox stays as it is."),
    ]
    if export.inReview > 0 {
      blocks.append(
        .notice(
          Notice(
            .warning,
            export.inReview == 1
              ? "1 of them needs a decision, and is in it as written"
              : "\(export.inReview) of them need a decision, and are in it as written", next: "review"))
      )
    }
    if export.ambiguous > 0 {
      blocks.append(
        .notice(
          Notice(.warning, "of \(export.ambiguous) it is not known whether the server has them already", next: "sync")))
    }
    return Page(
      blocks: blocks,
      records: [
        Record(
          "outboxExport",
          [
            "file": .string(export.file), "records": .integer(export.records), "entries": .integer(export.entries),
            "inReview": .integer(export.inReview), "ambiguous": .integer(export.ambiguous),
          ])
      ])
  }

  /// What makes a record look as it does.
  public static func page(_ display: ExplanationDisplay) -> Page {
    let (explanation, zone) = (display.explanation, display.zone)
    var fields = [
      Field("server version", explanation.serverVersion ?? "the server does not have it yet"),
      Field("confirmed", explanation.confirmedAt.map(zone.text) ?? "never"),
    ]
    if !explanation.aliases.isEmpty {
      fields.append(Field("also known as", explanation.aliases.joined(separator: ", ")))
    }
    var blocks: [Block] = [.fields(fields), .spacer]
    if explanation.entries.isEmpty {
      blocks.append(.paragraph("No edit made here is waiting: what is shown is what the server has."))
    }
    for entry in explanation.entries {
      blocks.append(.heading("Outbox entry \(entry.item.number)"))
      blocks += self.blocks(entry, zone: zone)
    }
    if !explanation.settled.isEmpty { blocks += [.heading("Settled before"), settled(explanation, zone), .spacer] }
    blocks.append(.paragraph("The documents themselves are in the output of --json.", role: .muted))
    return Page(
      title: explanation.key.description, blocks: blocks,
      records: [
        Record(
          "explanation",
          [
            "type": .string(explanation.key.type), "id": .string(explanation.key.id),
            "aliases": .strings(explanation.aliases), "serverVersion": .optional(explanation.serverVersion),
            "confirmedAt": explanation.confirmedAt.map(zone.record) ?? .null, "base": .optional(explanation.base),
            "view": .optional(explanation.view),
            "settled": .array(
              explanation.settled.map {
                [
                  "number": .integer(Int($0.number)), "summary": .string($0.summary), "outcome": .string($0.outcome),
                  "at": zone.record($0.at), "version": .optional($0.version),
                ]
              }),
          ])
      ] + explanation.entries.map { record($0, zone: zone) })
  }

  private static func blocks(_ detail: OutboxItemDetail, zone: ClinicZone) -> [Block] {
    let item = detail.item
    var fields = [
      Field("what", item.summary), Field("record", item.key.description),
      Field("state", words(item.state), role: role(item.state)), Field("written", zone.text(item.writtenAt)),
      Field("by", item.author.displayName), Field("sent", attempts(item.attempts)),
    ]
    if let version = detail.baseVersion { fields.append(Field("made on version", version)) }
    if let waitsFor = item.waitsFor { fields.append(Field("waits for", waitsFor)) }
    if let next = nextAttempt(item, zone: zone) { fields.append(Field("next attempt", next)) }
    if let reason = item.reason { fields.append(Field("because", reason)) }
    var blocks: [Block] = [.fields(fields), .spacer, .table(changes(detail.changes)), .spacer]
    if !detail.history.isEmpty {
      blocks.append(
        .table(
          Table(
            columns: [
              Table.Column("when", priority: .high), Table.Column("state", priority: .high), Table.Column("because"),
            ],
            rows: detail.history.map {
              Table.Row([Table.Cell(zone.text($0.at)), Table.Cell($0.to), Table.Cell($0.reason)])
            })))
    }
    return blocks
  }

  private static func settled(_ explanation: RecordExplanation, _ zone: ClinicZone) -> Block {
    .table(
      Table(
        columns: [
          Table.Column("entry", alignment: .trailing, priority: .high), Table.Column("what"),
          Table.Column("outcome", priority: .high), Table.Column("when"), Table.Column("version", priority: .low),
        ],
        rows: explanation.settled.map {
          Table.Row([
            Table.Cell(String($0.number)), Table.Cell($0.summary), Table.Cell($0.outcome), Table.Cell(zone.text($0.at)),
            Table.Cell($0.version ?? ""),
          ])
        }))
  }

  private static func waiting(_ item: OutboxItem, zone: ClinicZone) -> String? {
    item.waitsFor ?? item.nextAttempt.map { "waits until \(zone.text($0))" }
  }

  private static func nextAttempt(_ item: OutboxItem, zone: ClinicZone) -> String? {
    if item.state == .review { return "after a decision: review" }
    if let time = item.nextAttempt { return "not before \(zone.text(time))" }
    return item.waitsFor == nil ? "with the next sync" : nil
  }

  private static func attempts(_ count: Int) -> String {
    count == 0 ? "not yet" : count == 1 ? "once" : "\(count) times"
  }

  private static func changes(_ changes: [ElementChange]) -> Table {
    Table(
      columns: [
        Table.Column("element", priority: .high), Table.Column("before"), Table.Column("after", priority: .high),
      ],
      rows: changes.map {
        Table.Row([Table.Cell($0.path), Table.Cell($0.old ?? "absent"), Table.Cell($0.new ?? "removed")])
      }, empty: "no element is changed")
  }

  private static func state(_ item: OutboxItem) -> Table.Cell {
    Table.Cell(words(item.state), role: role(item.state))
  }

  private static func words(_ state: OutboxItem.State) -> String {
    switch state {
    case .pending: "pending"
    case .sending: "sending"
    case .ambiguous: "unknown, will check"
    case .review: "for review"
    }
  }

  private static func role(_ state: OutboxItem.State) -> TextRole {
    switch state {
    case .pending, .sending: .accent
    case .ambiguous: .warning
    case .review: .danger
    }
  }

  private static func fields(_ item: OutboxItem, zone: ClinicZone) -> [Record.Field] {
    [
      Record.Field("number", .integer(Int(item.number))), Record.Field("type", .string(item.key.type)),
      Record.Field("id", .string(item.key.id)), Record.Field("operation", .string(item.kind.rawValue)),
      Record.Field("state", .string(item.state.rawValue)), Record.Field("summary", .string(item.summary)),
      Record.Field("author", .string(item.author.displayName)), Record.Field("writtenAt", zone.record(item.writtenAt)),
      Record.Field("attempts", .integer(item.attempts)), Record.Field("waitsFor", .optional(item.waitsFor)),
      Record.Field("nextAttempt", item.nextAttempt.map(zone.record) ?? .null),
      Record.Field("reason", .optional(item.reason)),
    ]
  }

  private static func record(_ item: OutboxItem, zone: ClinicZone) -> Record {
    Record(kind: "outboxEntry", fields: fields(item, zone: zone))
  }

  private static func record(_ detail: OutboxItemDetail, zone: ClinicZone) -> Record {
    let changes = detail.changes.map { change -> RecordValue in
      ["path": .string(change.path), "old": .optional(change.old), "new": .optional(change.new)]
    }
    let history = detail.history.map { step -> RecordValue in
      [
        "at": zone.record(step.at), "from": .optional(step.from), "to": .string(step.to),
        "reason": .string(step.reason),
      ]
    }
    return Record(
      kind: "outboxEntry",
      fields: fields(detail.item, zone: zone) + [
        Record.Field("baseVersion", .optional(detail.baseVersion)), Record.Field("changes", .array(changes)),
        Record.Field("history", .array(history)),
      ])
  }
}
