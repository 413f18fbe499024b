public import DesignSystem
public import Domain

/// The pages about the store: pure functions of what is shown.
public nonisolated enum StoreScreen {
  /// A copy that was made.
  public static func page(_ copy: StoreCopy) -> Page {
    Page(
      blocks: [
        .notice(Notice(.success, "the store was copied to \(copy.file)")),
        .fields([Field("size", "\((copy.size + 1023) / 1024) kB"), Field("unsent in it", String(copy.unsent))]),
      ],
      records: [
        Record(
          "storeCopy",
          ["file": .string(copy.file), "size": .integer(copy.size), "unsent": .integer(copy.unsent)])
      ])
  }

  /// What a check found.
  public static func page(_ check: StoreCheck) -> Page {
    let notice =
      check.problems.isEmpty
      ? Notice(.success, "the store is sound")
      : Notice(.danger, "the store is not sound", next: "store salvage, or store restore FILE")
    var blocks: [Block] = [
      .notice(notice),
      .fields([Field("records", String(check.records)), Field("outbox entries", String(check.entries))]),
    ]
    if !check.problems.isEmpty { blocks += [.spacer, .list(check.problems)] }
    return Page(
      title: "Store check", blocks: blocks,
      records: [
        Record(
          "storeCheck",
          [
            "records": .integer(check.records), "entries": .integer(check.entries),
            "problems": .strings(check.problems),
          ])
      ])
  }

  /// What a restoration did.
  public static func page(_ restoration: StoreRestoration) -> Page {
    var fields = [Field("unsent in it", String(restoration.unsent))]
    if let aside = restoration.setAside { fields.insert(Field("the former store", aside), at: 0) }
    return Page(
      blocks: [
        .notice(
          Notice(
            .success, "the copy is the store now",
            next: restoration.isFromElsewhere
              ? "store adopt, since it is a copy of another machine's or another folder's"
              : "sync brings what changed since it was made")),
        .fields(fields),
      ],
      records: [
        Record(
          "storeRestoration",
          [
            "setAside": .optional(restoration.setAside), "unsent": .integer(restoration.unsent),
            "isFromElsewhere": .bool(restoration.isFromElsewhere),
          ])
      ])
  }

  /// What was saved of a damaged store.
  public static func page(_ salvage: StoreSalvage) -> Page {
    let isWhole = salvage.lost.isEmpty && salvage.doubtful == 0
    var fields = [
      Field("unsent and saved", String(salvage.entries)), Field("of them for review", String(salvage.doubtful)),
      Field(
        "lost", salvage.lost.isEmpty ? "none that is known of" : salvage.lost.map(String.init).joined(separator: ", ")),
      Field("records", String(salvage.records)),
    ]
    if !salvage.torn.isEmpty { fields.append(Field("not readable to the end", salvage.torn.joined(separator: ", "))) }
    if let aside = salvage.setAside { fields.insert(Field("the damaged store", aside), at: 0) }
    return Page(
      blocks: [
        .notice(
          isWhole
            ? Notice(.success, "what was unsent is saved", next: "sync")
            : Notice(.warning, "what could be read is saved", next: salvage.doubtful > 0 ? "sync, then review" : "sync")
        ),
        .fields(fields),
      ],
      records: [
        Record(
          "storeSalvage",
          [
            "setAside": .optional(salvage.setAside), "entries": .integer(salvage.entries),
            "doubtful": .integer(salvage.doubtful), "records": .integer(salvage.records),
            "lost": .strings(salvage.lost.map(String.init)), "torn": .strings(salvage.torn),
          ])
      ])
  }

  /// Where the store is now.
  public static func page(_ move: StoreMove) -> Page {
    Page(
      blocks: [
        .notice(
          Notice(
            .success, "the store is in \(move.directory) now",
            next: "name it with --store, or as \"store\" in the profile")),
        .fields([Field("unsent in it", String(move.unsent))]),
      ],
      records: [Record("storeMove", ["directory": .string(move.directory), "unsent": .integer(move.unsent)])])
  }

  /// What was dropped.
  public static func page(_ pruning: StorePruning) -> Page {
    let table = Table(
      columns: [Table.Column("type", priority: .high), Table.Column("dropped", alignment: .trailing, priority: .high)],
      rows: pruning.dropped.map { Table.Row([Table.Cell($0.type), Table.Cell(String($0.count))]) },
      empty: "nothing has left the clinic's scopes")
    let counts = pruning.dropped.map { count -> RecordValue in
      ["type": .string(count.type), "count": .integer(count.count)]
    }
    return Page(
      blocks: [.table(table), .spacer, .fields([Field("records kept", String(pruning.kept))])],
      records: [Record("storePruning", ["dropped": .array(counts), "kept": .integer(pruning.kept)])])
  }

  /// The store is this machine's, and this server's, now.
  public static func adopted() -> Page {
    Page(
      blocks: [.notice(Notice(.success, "what the store holds may be sent from here", next: "sync"))],
      records: [Record("storeAdoption", ["adopted": true])])
  }

  /// How everything is.
  public static func page(_ findings: [Finding]) -> Page {
    Page(
      title: "Doctor",
      blocks: [
        .table(
          Table(
            columns: [
              Table.Column("what", priority: .high), Table.Column("verdict", priority: .high),
              Table.Column("found", priority: .high), Table.Column("what to do", priority: .low),
            ],
            rows: findings.map { finding in
              Table.Row([
                Table.Cell(finding.subject), Table.Cell(finding.verdict.rawValue, role: role(finding.verdict)),
                Table.Cell(finding.text), Table.Cell(finding.next ?? ""),
              ])
            }))
      ],
      records: findings.map { finding in
        Record(
          "finding",
          [
            "subject": .string(finding.subject), "verdict": .string(finding.verdict.rawValue),
            "text": .string(finding.text), "next": .optional(finding.next),
          ])
      })
  }

  private static func role(_ verdict: Finding.Verdict) -> TextRole {
    switch verdict {
    case .ok: .accent
    case .attention: .warning
    case .fault: .danger
    }
  }
}
