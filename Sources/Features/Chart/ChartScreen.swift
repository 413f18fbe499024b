public import DesignSystem
import Domain

/// The pages of the chart feature: pure functions of what is shown.
public nonisolated enum ChartScreen {
  /// Where the feature begins.
  public static var overview: Page {
    Page(
      title: "Charts",
      blocks: [
        .paragraph("A chart is shown by patient."),
        .commandLines(ChartCommands.chartSpec.examples + ChartCommands.trendSpec.examples),
      ])
  }

  /// A patient's chart.
  ///
  /// - Parameter limit: How many moments the history shows; `nil` for all.
  public static func page(_ display: ChartDisplay, limit: Int?) -> Page {
    var blocks: [Block] = [.paragraph(display.patient.text)]
    blocks += display.notices.map { .notice(Notice(.warning, $0.text, next: $0.next)) }
    blocks += [.spacer, .heading("Allergies")] + allergies(display)
    blocks += section("Problems", display.problems.entries, past: "Past problems")
    blocks += section("Medications", display.medications.entries, past: "Past medications")
    blocks += section("Immunizations", display.immunizations.entries, past: "Past immunizations")
    blocks += [.spacer, .heading("Latest measurements"), .table(latest(display.observations.entries))]
    blocks += [.spacer, .heading("History")] + history(display, limit: limit)
    blocks += withdrawn(display)
    blocks += [.spacer, .heading("Age of the data")] + ages(display)
    return Page(
      title: "Chart", blocks: blocks, records: ChartRecords.records(display),
      warnings: display.statuses.flatMap(\.status.warnings))
  }

  private static func allergies(_ display: ChartDisplay) -> [Block] {
    var blocks: [Block] = []
    if display.allergiesContradict {
      blocks.append(
        .notice(
          Notice(
            .warning, "a record says that no allergies are known, and others name some", next: "allergies resolve REF"))
      )
    }
    switch display.allergyHeadline {
    case .noneKnown: blocks.append(.paragraph("no known allergies (recorded as such)"))
    case .noneRecorded: blocks.append(.paragraph("none recorded"))
    case .some: break
    }
    let rows = display.allergies.entries
    let current = rows.filter {
      $0.standing == .current && (!$0.statesAbsence || display.allergyHeadline != .noneKnown)
    }
    if !current.isEmpty { blocks.append(.table(table(current))) }
    for (title, standing) in [("Past allergies", ChartStanding.past), ("Refuted allergies", .refuted)] {
      let apart = rows.filter { $0.standing == standing }
      if !apart.isEmpty { blocks += [.heading(level: 2, title), .table(table(apart))] }
    }
    return blocks
  }

  private static func section(_ title: String, _ rows: [ChartRow], past: String) -> [Block] {
    let current = rows.filter { $0.standing == .current }
    var blocks: [Block] = [.spacer, .heading(title)]
    blocks.append(current.isEmpty ? .paragraph("none recorded") : .table(table(current)))
    for (title, standing) in [(past, ChartStanding.past), ("\(title), refuted or not given", .refuted)] {
      let apart = rows.filter { $0.standing == standing }
      if !apart.isEmpty { blocks += [.heading(level: 2, title), .table(table(apart))] }
    }
    return blocks
  }

  static func table(_ rows: [ChartRow]) -> Table {
    Table(
      columns: [
        Table.Column("what", priority: .high), Table.Column("state", priority: .high), Table.Column("when"),
        Table.Column("details", priority: .low),
      ],
      rows: rows.map { row in
        Table.Row(
          [
            Table.Cell(row.title, role: row.isDangerous ? .danger : .plain, badges: badges(row)),
            Table.Cell(row.state), Table.Cell(row.when ?? ""), Table.Cell(row.factText),
          ], target: RowTarget(kind: row.key.type, id: row.key.id))
      }, empty: "none recorded")
  }

  private static func badges(_ row: ChartRow) -> [Badge] {
    var badges: [Badge] = []
    if row.isDangerous { badges.append(Badge("high risk", role: .danger)) }
    if row.formerRecord != nil { badges.append(Badge("on the old record", role: .warning)) }
    if row.isPending { badges.append(.pending) }
    return badges
  }

  /// The newest observation of each kind.
  static func latest(_ entries: [ObservationEntry]) -> Table {
    var seen: Set<String> = []
    let newest = entries.filter { seen.insert($0.code ?? $0.title).inserted }
    return Table(
      columns: [
        Table.Column("what", priority: .high), Table.Column("result", priority: .high), Table.Column("measured"),
      ],
      rows: newest.map { entry in
        Table.Row(
          [
            Table.Cell(entry.title), Table.Cell(entry.result, badges: entry.isPending ? [.pending] : []),
            Table.Cell(entry.when),
          ], target: RowTarget(kind: ClinicalObservation.resourceType, id: entry.id.rawValue))
      }, empty: "none recorded")
  }

  private static func history(_ display: ChartDisplay, limit: Int?) -> [Block] {
    let all = display.timeline(in: display.zone)
    let shown = limit.map { Array(all.prefix($0)) } ?? all
    let table = Table(
      columns: [
        Table.Column("when", priority: .high), Table.Column("kind"), Table.Column("what", priority: .high),
        Table.Column("details", priority: .low),
      ],
      rows: shown.map { moment in
        Table.Row(
          [
            Table.Cell(moment.when), Table.Cell(moment.kind),
            Table.Cell(moment.text, badges: moment.isPending ? [.pending] : []), Table.Cell(moment.detail),
          ], target: RowTarget(kind: moment.key.type, id: moment.key.id))
      }, empty: "nothing is recorded")
    guard shown.count < all.count else { return [.table(table)] }
    return [
      .table(table),
      .notice(Notice(.info, "\(all.count - shown.count) older entries are not shown", next: "chart REF --all")),
    ]
  }

  private static func withdrawn(_ display: ChartDisplay) -> [Block] {
    var rows: [Table.Row] = []
    func add(_ kind: String, _ text: String, _ key: ResourceKey) {
      rows.append(
        Table.Row(
          [Table.Cell(kind), Table.Cell(text, role: .muted, badges: [.enteredInError])],
          target: RowTarget(kind: key.type, id: key.id)))
    }
    for row in display.allergies.withdrawn { add("allergy", row.title, row.key) }
    for row in display.problems.withdrawn { add("problem", row.title, row.key) }
    for row in display.medications.withdrawn { add("medication", row.title, row.key) }
    for row in display.immunizations.withdrawn { add("immunization", row.title, row.key) }
    for entry in display.observations.withdrawn { add("measured", "\(entry.title) \(entry.result)", entry.id.key) }
    for entry in display.visits.withdrawn { add("visit", "\(entry.title) \(entry.when)", entry.id.key) }
    for entry in display.notes.withdrawn { add("note", entry.summary, entry.id.key) }
    guard !rows.isEmpty else { return [] }
    return [
      .spacer, .heading("Entered in error"), .paragraph("withdrawn, and not counted above", role: .muted),
      .table(Table(columns: [Table.Column("kind"), Table.Column("what", priority: .high)], rows: rows)),
    ]
  }

  private static func ages(_ display: ChartDisplay) -> [Block] {
    var blocks: [Block] = [.fields(display.statuses.map { Field($0.name, $0.status.text) })]
    if let failure = display.statuses.lazy.compactMap(\.status.failure).first {
      blocks.append(.notice(Notice(.warning, "the server could not be asked: \(failure.message)", next: failure.hint)))
    } else if display.statuses.contains(where: \.status.mayBeIncomplete) {
      blocks.append(.notice(Notice(.info, "the server may have more than is stored here", next: "sync")))
    }
    if display.statuses.contains(where: { $0.status.writesInReview > 0 }) {
      blocks.append(.notice(Notice(.warning, "edits shown here need a decision", next: "review")))
    }
    return blocks
  }
}
