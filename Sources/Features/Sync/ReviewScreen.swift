public import DesignSystem
public import Domain

/// The pages of the review list: pure functions of what is shown.
public nonisolated enum ReviewScreen {
  /// All open items.
  public static func page(_ display: ReviewDisplay) -> Page {
    let table = Table(
      columns: [
        Table.Column("item", alignment: .trailing, priority: .high), Table.Column("trouble", priority: .high),
        Table.Column("record", priority: .high), Table.Column("since"), Table.Column("by", priority: .low),
      ],
      rows: display.items.map { item in
        Table.Row([
          Table.Cell(String(item.number)), Table.Cell(words(item.kind), role: .danger), Table.Cell(item.subject),
          Table.Cell(display.zone.text(item.since)), Table.Cell(item.author.displayName),
        ])
      }, empty: "nothing needs a decision")
    var blocks: [Block] = [.table(table)]
    if let first = display.items.first {
      blocks += [
        .spacer, .notice(Notice(.info, "each item is settled by itself", next: "review show \(first.number)")),
      ]
    }
    return Page(title: "Review", blocks: blocks, records: display.items.map { record($0, zone: display.zone) })
  }

  /// One item.
  public static func page(_ display: ReviewItemDisplay) -> Page {
    let (item, zone) = (display.item, display.zone)
    var fields = [
      Field("record", "\(item.subject) (\(item.key))"), Field("trouble", item.explanation, role: .danger),
      Field("since", zone.text(item.since)), Field("by", item.author.displayName),
    ]
    if let entry = item.entry { fields.append(Field("outbox entry", String(entry))) }
    if !item.waiting.isEmpty {
      fields.append(Field("entries behind it", item.waiting.map(String.init).joined(separator: ", ")))
    }
    var blocks: [Block] = [.fields(fields), .spacer]
    if !item.elements.isEmpty {
      let version = item.serverVersion.map { " (version \($0))" } ?? ""
      blocks += [
        .table(
          Table(
            columns: [
              Table.Column("element", priority: .high), Table.Column("before"), Table.Column("mine", priority: .high),
              Table.Column("theirs" + version, priority: .high),
            ],
            rows: item.elements.map {
              Table.Row([
                Table.Cell($0.path), Table.Cell($0.base ?? "absent"), Table.Cell($0.mine ?? "absent"),
                Table.Cell($0.theirs ?? "absent"),
              ])
            })), .spacer,
      ]
    }
    blocks += [.paragraph("Settle it with one of these:"), .commandLines(display.choices)]
    return Page(
      title: "Review item \(item.number): \(words(item.kind))", blocks: blocks, records: [record(item, zone: zone)])
  }

  /// What a decision led to.
  public static func page(_ outcome: ReviewOutcome, number: ReviewNumber) -> Page {
    Page(
      blocks: [.notice(Notice(.success, outcome.summary))],
      records: [
        Record(
          "reviewDecision",
          [
            "number": .integer(Int(number)), "summary": .string(outcome.summary),
            "discardedEntries": .array(outcome.discarded.map { .integer(Int($0)) }),
          ])
      ])
  }

  private static func words(_ kind: ReviewItem.Kind) -> String {
    switch kind {
    case .refusal: "refused by the server"
    case .conflict: "changed here and there"
    case .deletedRemotely: "deleted at the server"
    case .doubleMatch: "two records match"
    case .unresolved: "fate unknown"
    }
  }

  private static func record(_ item: ReviewItem, zone: ClinicZone) -> Record {
    let elements = item.elements.map { element -> RecordValue in
      [
        "path": .string(element.path), "base": .optional(element.base), "mine": .optional(element.mine),
        "theirs": .optional(element.theirs),
      ]
    }
    return Record(
      "reviewItem",
      [
        "number": .integer(Int(item.number)), "trouble": .string(item.kind.rawValue), "type": .string(item.key.type),
        "id": .string(item.key.id), "subject": .string(item.subject), "explanation": .string(item.explanation),
        "since": zone.record(item.since), "author": .string(item.author.displayName),
        "entry": item.entry.map { .integer(Int($0)) } ?? .null, "serverVersion": .optional(item.serverVersion),
        "elements": .array(elements), "waitingEntries": .array(item.waiting.map { .integer(Int($0)) }),
      ])
  }
}
