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
        Table.Column("waiting", alignment: .trailing, priority: .low),
      ],
      rows: display.items.map { item in
        Table.Row([
          Table.Cell(String(item.number)), Table.Cell(item.kind.words, role: .danger), Table.Cell(item.subject),
          Table.Cell(display.zone.text(item.since)), Table.Cell(item.entry == nil ? "" : item.author.displayName),
          Table.Cell(String(item.waiting.count)),
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
      Field("record", item.key.id.isEmpty ? item.subject : "\(item.subject) (\(item.key))"),
      Field("trouble", item.explanation, role: .danger),
      Field("since", zone.text(item.since)),
    ]
    if item.entry != nil { fields.append(Field("written by", written(item, zone))) }
    if let time = item.serverTime { fields.append(Field("changed at the server", zone.text(time))) }
    if let entry = item.entry { fields.append(Field("outbox entry", String(entry))) }
    var blocks: [Block] = [.fields(fields), .spacer]
    if !item.issues.isEmpty {
      let heading = item.kind == .likelyDuplicate ? "Whom the server knows" : "What the server said"
      blocks += [.heading(heading), .table(issues(item)), .spacer]
    }
    if !item.elements.isEmpty { blocks += [.table(elements(item)), .spacer] }
    if !item.applied.isEmpty {
      blocks += [.heading("What the server has of the same action"), .list(item.applied.map(applied)), .spacer]
    }
    if !item.waiting.isEmpty { blocks += [.heading("What waits for this"), .list(waiting(item)), .spacer] }
    blocks += [.heading("Settle it with one of these")] + choices(display)
    return Page(
      title: "Review item \(item.number): \(item.kind.words)", blocks: blocks, records: [record(display)])
  }

  private static func written(_ item: ReviewItem, _ zone: ClinicZone) -> String {
    item.author.displayName + (item.writtenAt.map { ", \(zone.text($0))" } ?? "")
  }

  private static func issues(_ item: ReviewItem) -> Table {
    let isAboutPeople = item.kind == .likelyDuplicate
    let columns =
      isAboutPeople
      ? [Table.Column("record"), Table.Column("who", priority: .high)]
      : [Table.Column("element"), Table.Column("what is wrong", priority: .high), Table.Column("kind", priority: .low)]
    return Table(
      columns: columns,
      rows: item.issues.map {
        let cells = [
          Table.Cell($0.elements.isEmpty ? "the record" : $0.elements.joined(separator: ", ")), Table.Cell($0.text),
          Table.Cell([$0.severity, $0.code].compactMap(\.self).joined(separator: ", ")),
        ]
        return Table.Row(Array(cells.prefix(columns.count)))
      })
  }

  /// The values side by side; of a refusal without the server's, which it says nothing of.
  private static func elements(_ item: ReviewItem) -> Table {
    let isRefusal = item.kind.isRefusal || item.kind == .likelyDuplicate
    let version = item.serverVersion.map { " (version \($0))" } ?? ""
    let columns = [
      Table.Column("element", priority: .high), Table.Column("before"),
      Table.Column(isRefusal ? "written" : "mine", priority: .high),
    ]
    return Table(
      columns: isRefusal ? columns : columns + [Table.Column("theirs" + version, priority: .high)],
      rows: item.elements.map {
        let cells = [
          Table.Cell($0.label), Table.Cell($0.base?.text ?? "absent"), Table.Cell($0.mine?.text ?? "removed"),
        ]
        return Table.Row(isRefusal ? cells : cells + [Table.Cell($0.theirs?.text ?? "absent")])
      })
  }

  private static func applied(_ entry: ReviewItem.AppliedEntry) -> String {
    "entry \(entry.number)" + (entry.summary.isEmpty ? "" : ": \(entry.summary)")
  }

  private static func waiting(_ item: ReviewItem) -> [String] {
    item.waiting.map { "entry \($0.number): \($0.summary)" + ($0.falls ? "; falls with a discard" : "") }
  }

  /// Each line as one would type it, uncut, with what it does above it.
  private static func choices(_ display: ReviewItemDisplay) -> [Block] {
    display.choices.flatMap { [.paragraph($0.effect, role: .muted), .commandLines([$0.line])] }
  }

  /// What a decision led to.
  public static func page(_ outcome: ReviewOutcome, number: ReviewNumber) -> Page {
    let notice =
      outcome.followedBy.map { Notice(.warning, outcome.summary, next: "review show \($0)") }
      ?? Notice(.success, outcome.summary, next: outcome.needsSync ? "sync" : nil)
    return Page(
      blocks: [.notice(notice)],
      records: [
        Record(
          "reviewDecision",
          [
            "number": .integer(Int(number)), "summary": .string(outcome.summary),
            "discardedEntries": .array(outcome.discarded.map { .integer(Int($0)) }),
            "followedBy": outcome.followedBy.map { .integer(Int($0)) } ?? .null,
          ])
      ])
  }

  private static func record(_ display: ReviewItemDisplay) -> Record {
    var record = record(display.item, zone: display.zone)
    let choices = display.choices.map { choice -> RecordValue in
      ["line": .string(choice.line), "effect": .string(choice.effect)]
    }
    record.fields.append(Record.Field("choices", .array(choices)))
    return record
  }

  private static func record(_ item: ReviewItem, zone: ClinicZone) -> Record {
    let elements = item.elements.map { element -> RecordValue in
      [
        "path": .string(element.path), "label": .string(element.label), "base": .optional(element.base?.json),
        "mine": .optional(element.mine?.json), "theirs": .optional(element.theirs?.json),
      ]
    }
    let issues = item.issues.map { issue -> RecordValue in
      [
        "severity": .optional(issue.severity), "code": .optional(issue.code), "text": .string(issue.text),
        "expression": .strings(issue.elements),
      ]
    }
    return Record(
      "reviewItem",
      [
        "number": .integer(Int(item.number)), "trouble": .string(item.kind.rawValue), "type": .string(item.key.type),
        "id": .string(item.key.id), "subject": .string(item.subject), "explanation": .string(item.explanation),
        "since": zone.record(item.since), "author": .string(item.author.displayName),
        "writtenAt": item.writtenAt.map(zone.record) ?? .null,
        "entry": item.entry.map { .integer(Int($0)) } ?? .null, "serverVersion": .optional(item.serverVersion),
        "serverTime": item.serverTime.map(zone.record) ?? .null, "issues": .array(issues),
        "elements": .array(elements), "waitingEntries": .array(item.waiting.map { .integer(Int($0.number)) }),
        "appliedEntries": .array(item.applied.map { .integer(Int($0.number)) }),
      ])
  }
}
