public import DesignSystem
public import Domain

/// The pages of syncing: pure functions of what is shown.
public nonisolated enum SyncScreen {
  /// What a sync did.
  public static func page(_ display: SyncReportDisplay) -> Page {
    let report = display.report
    var blocks: [Block] = [.notice(notice(display)), .table(types(report, display.zone)), .spacer]
    blocks.append(.fields(counts(report.unsent, report.ambiguous, report.inReview, report.oldestUnsent, display.zone)))
    return Page(
      title: "Sync", blocks: blocks, records: [record(display)], warnings: report.warnings)
  }

  /// What was done and what is left of each type; the columns of what is left only where something is.
  private static func types(_ report: SyncReport, _ zone: ClinicZone) -> Table {
    let isLeft = report.types.contains { $0.unsent + $0.inReview > 0 }
    let hasFailed = report.types.contains { $0.failed > 0 }
    let done = [
      Table.Column("type", priority: .high), Table.Column("sent", alignment: .trailing),
      Table.Column("received", alignment: .trailing), Table.Column("deleted", alignment: .trailing),
    ]
    let failed = hasFailed ? [Table.Column("failed", alignment: .trailing)] : []
    let left =
      [Table.Column("left", alignment: .trailing)] + failed + [
        Table.Column("for review", alignment: .trailing), Table.Column("oldest", priority: .low),
      ]
    let rows = report.types.filter { $0.sent + $0.pulled + $0.deleted + $0.unsent + $0.inReview > 0 }.map { type in
      let done = [
        Table.Cell(type.type), Table.Cell(String(type.sent)), Table.Cell(String(type.pulled)),
        Table.Cell(String(type.deleted)),
      ]
      let left =
        [Table.Cell(String(type.unsent))] + (hasFailed ? [Table.Cell(String(type.failed))] : []) + [
          Table.Cell(String(type.inReview)), Table.Cell(type.oldest.map { zone.text($0) } ?? ""),
        ]
      return Table.Row(isLeft ? done + left : done)
    }
    return Table(columns: isLeft ? done + left : done, rows: rows, empty: "nothing was sent or received")
  }

  /// One pass of a watch, as a line.
  public static func line(_ display: SyncReportDisplay, at now: Instant) -> Page {
    let (report, zone) = (display.report, display.zone)
    func total(_ count: (SyncReport.TypeCounts) -> Int) -> Int { report.types.reduce(0) { $0 + count($1) } }
    let counts = [("sent", total(\.sent)), ("received", total(\.pulled)), ("deleted", total(\.deleted))]
    var parts = counts.filter { $0.1 > 0 }.map { "\($0.0) \($0.1)" }
    if report.outcome == .complete {
      if parts.isEmpty { parts.append(notice(display).text) }
    } else {
      parts.append(notice(display).text)
    }
    if report.unsent > 0 { parts.append("\(report.unsent) unsent") }
    if report.inReview > 0 { parts.append("\(report.inReview) for review") }
    var record = record(display)
    record.fields.append(Record.Field("at", zone.record(now)))
    return Page(
      blocks: [.paragraph("\(zone.text(now)): \(parts.joined(separator: ", "))")], records: [record],
      warnings: report.warnings)
  }

  /// The state of the store against the server.
  public static func page(_ display: SyncStatusDisplay) -> Page {
    let (status, zone) = (display.status, display.zone)
    var fields = [Field("server", status.server ?? "none is configured")]
    fields += counts(status.unsent, status.ambiguous, status.inReview, status.oldestUnsent, zone)
    fields.append(Field("last complete sync", status.lastComplete.map(zone.text) ?? "never"))
    if let attempt = status.lastAttempt { fields.append(Field("last attempt", zone.text(attempt))) }
    if let error = status.lastError { fields.append(Field("it met", error.message, role: .warning)) }
    if let until = status.throttledUntil { fields.append(Field("the server asks to wait until", zone.text(until))) }
    if let holder = status.runningElsewhere { fields.append(Field("a sync is running", holder)) }
    var blocks: [Block] = [.fields(fields)]
    if status.server != nil, !status.guarantees.isEmpty {
      blocks += [.spacer, .heading("Guarantees with this server"), .list(status.guarantees)]
    }
    if status.server == nil {
      blocks.append(.notice(Notice(.info, "nothing is sent without a server", next: "add --server URL")))
    } else if status.inReview > 0 {
      blocks.append(.notice(Notice(.warning, "some writes need a decision", next: "review")))
    }
    return Page(title: "Sync status", blocks: blocks, records: [record(display)])
  }

  /// One line for monitoring.
  static func health(_ display: SyncStatusDisplay, beyond limits: SyncStatusDisplay.Limits, at now: Instant) -> Page {
    let (status, zone) = (display.status, display.zone)
    let isWell = display.troubles(beyond: limits, at: now).isEmpty
    let unsent = "\(status.unsent) unsent" + (status.oldestUnsent.map { " since \(zone.text($0))" } ?? "")
    let parts = [
      "synced " + (status.lastComplete.map(zone.text) ?? "never"), unsent, "\(status.inReview) for review",
    ]
    var record = record(display)
    record.fields.append(Record.Field("well", .bool(isWell)))
    return Page(
      blocks: [.paragraph("\(isWell ? "well" : "not well"): \(parts.joined(separator: ", "))")], records: [record])
  }

  /// What a sync would send.
  public static func page(plan: [PlannedRequest], zone: ClinicZone) -> Page {
    let table = Table(
      columns: [
        Table.Column("entry", alignment: .trailing), Table.Column("request", priority: .high),
        Table.Column("because", priority: .low),
      ],
      rows: plan.map { request in
        Table.Row([
          Table.Cell(request.entry.map(String.init) ?? ""),
          Table.Cell("\(request.method) \(request.target.isEmpty ? "/" : request.target)"),
          Table.Cell(
            request.reason + (request.notBefore.map { "; not before \(zone.text($0)), as the server asked" } ?? "")),
        ])
      }, empty: "a sync would send nothing")
    return Page(
      title: "What a sync would send", blocks: [.table(table)],
      records: plan.map { request in
        Record(
          "plannedRequest",
          [
            "entry": request.entry.map { .integer(Int($0)) } ?? .null, "method": .string(request.method),
            "target": .string(request.target), "reason": .string(request.reason),
            "notBefore": request.notBefore.map(zone.record) ?? .null,
          ])
      })
  }

  private static func notice(_ display: SyncReportDisplay) -> Notice {
    switch display.report.outcome {
    case .complete: Notice(.success, "the store and the server agree")
    case .needsReview where display.report.unsent > 0:
      Notice(.warning, "some of it needs a decision; the rest is left for another sync", next: "review, and sync again")
    case .needsReview:
      Notice(.warning, "everything that could be sent was; some of it needs a decision", next: "review")
    case .unreachable(let error) where error.code == .cancelled:
      Notice(.warning, "the sync was interrupted; what was on its way will be checked", next: "sync again")
    case .unreachable(let error):
      Notice(.warning, "the server was not reached: \(error.message)", next: "sync again later")
    case .throttled(let until):
      Notice(.warning, "the server asks to come back after \(display.zone.text(until))", next: "sync again then")
    case .unfinished: Notice(.warning, "the sync ended before everything was done", next: "sync again")
    case .signInNeeded: Notice(.warning, "the server asks for a sign-in", next: "check CLINIC_TOKEN_FILE")
    }
  }

  private static func counts(
    _ unsent: Int, _ ambiguous: Int, _ inReview: Int, _ oldest: Instant?, _ zone: ClinicZone
  ) -> [Field] {
    var fields = [Field("unsent", String(unsent))]
    if ambiguous > 0 { fields.append(Field("of unknown fate", "\(ambiguous), will be checked", role: .warning)) }
    fields.append(Field("for review", String(inReview), role: inReview > 0 ? .danger : .plain))
    if let oldest { fields.append(Field("oldest unsent", "written \(zone.text(oldest))")) }
    return fields
  }

  private static func record(_ display: SyncReportDisplay) -> Record {
    let report = display.report
    return Record(
      "syncReport",
      [
        "outcome": .string(word(report.outcome)), "unsent": .integer(report.unsent),
        "ambiguous": .integer(report.ambiguous), "inReview": .integer(report.inReview),
        "oldestUnsent": report.oldestUnsent.map(display.zone.record) ?? .null,
        "throttledUntil": throttledUntil(report.outcome).map(display.zone.record) ?? .null,
        "types": .array(
          report.types.map {
            [
              "type": .string($0.type), "sent": .integer($0.sent), "pulled": .integer($0.pulled),
              "deleted": .integer($0.deleted), "unsent": .integer($0.unsent), "failed": .integer($0.failed),
              "inReview": .integer($0.inReview), "oldest": $0.oldest.map(display.zone.record) ?? .null,
            ]
          }),
      ])
  }

  private static func word(_ outcome: SyncReport.Outcome) -> String {
    switch outcome {
    case .complete: "complete"
    case .needsReview: "needsReview"
    case .unreachable: "unreachable"
    case .throttled: "throttled"
    case .unfinished: "unfinished"
    case .signInNeeded: "signInNeeded"
    }
  }

  private static func throttledUntil(_ outcome: SyncReport.Outcome) -> Instant? {
    if case .throttled(let until) = outcome { until } else { nil }
  }

  private static func record(_ display: SyncStatusDisplay) -> Record {
    let (status, zone) = (display.status, display.zone)
    return Record(
      "syncStatus",
      [
        "server": .optional(status.server), "unsent": .integer(status.unsent), "ambiguous": .integer(status.ambiguous),
        "inReview": .integer(status.inReview), "oldestUnsent": status.oldestUnsent.map(zone.record) ?? .null,
        "lastComplete": status.lastComplete.map(zone.record) ?? .null,
        "lastAttempt": status.lastAttempt.map(zone.record) ?? .null,
        "lastError": .optional(status.lastError?.code.rawValue),
        "throttledUntil": status.throttledUntil.map(zone.record) ?? .null,
        "runningElsewhere": .optional(status.runningElsewhere), "guarantees": .strings(status.guarantees),
      ])
  }
}
