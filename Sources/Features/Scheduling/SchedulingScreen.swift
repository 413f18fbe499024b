public import DesignSystem
public import Domain

/// The pages of the scheduling feature: pure functions of what is shown.
public nonisolated enum SchedulingScreen {
  /// A day or a week.
  public static func page(_ display: ScheduleDisplay) -> Page {
    let (request, zone) = (display.request, display.zone)
    let abbreviation = zone.onlyAbbreviation(on: request.days)
    var blocks: [Block] = []
    var group: String?
    for section in display.sections {
      if let name = section.group, name != group { blocks.append(.heading(name)) }
      group = section.group
      if request.isWeek {
        blocks.append(
          .heading(level: group == nil ? 1 : 2, heading(section.day, display, isExact: abbreviation == nil)))
      }
      if let hours = section.hours { blocks.append(.paragraph(hours, role: .muted)) }
      blocks.append(.table(table(section.entries, on: section.day, display)))
      blocks.append(.spacer)
    }
    if !display.withdrawn.isEmpty {
      blocks += [
        .heading("Entered in error"), .table(table(display.withdrawn, on: request.isWeek ? nil : request.day, display)),
        .spacer,
      ]
    }
    let shown = display.sections.flatMap(\.entries) + display.withdrawn
    let names = [zone.identifier, abbreviation].compactMap(\.self).joined(separator: ", ")
    let days =
      request.isWeek
      ? "Week from \(zone.text(request.days.lowerBound))" : heading(request.day, display, isExact: false)
    return Page(
      title: "\(days) (\(names))", blocks: blocks + display.status.blocks,
      records: shown.map { record($0, zone: zone) } + [display.status.record], warnings: display.status.warnings)
  }

  /// A day's name; with the zone's where that differs within what is shown.
  private static func heading(_ day: CalendarDay, _ display: ScheduleDisplay, isExact: Bool) -> String {
    let zone = isExact ? display.zone.onlyAbbreviation(on: day...day).map { " (\($0))" } ?? "" : ""
    return display.zone.text(day) + (day == display.today ? ", today" : "") + zone
  }

  /// One appointment.
  public static func page(_ display: AppointmentDisplay) -> Page {
    let entry = display.entry
    var fields = [Field("when", entry.when), Field("status", entry.status, badges: badges(entry))]
    if let patient = entry.patient {
      fields += [
        Field("patient", patient.displayName), Field("birth date", patient.birth),
        Field("identifier", patient.identifier ?? "none recorded"),
      ]
    } else {
      fields.append(Field("patient", "\(entry.patientText) (not known here)"))
    }
    fields += [Field("practitioner", entry.practitioner ?? ""), Field("location", entry.location ?? "")]
    if let reason = entry.reason { fields.append(Field("reason", reason)) }
    if let reason = entry.cancelationReason { fields.append(Field("called off because", reason)) }
    if let comment = entry.comment { fields.append(Field("comment", comment)) }
    fields.append(Field("record", entry.id.key.description))
    return Page(
      title: "Appointment", blocks: [.fields(fields), .spacer] + display.status.blocks,
      records: [
        record(entry, zone: display.zone), display.status.record,
      ], warnings: display.status.warnings)
  }

  /// A booking that is durable here.
  public static func page(_ booked: Booked) -> Page {
    booked.echo.page(record: [
      Record.Field("start", booked.entry.start.map(booked.zone.record) ?? .null),
      Record.Field("end", booked.entry.end.map(booked.zone.record) ?? .null),
    ])
  }

  /// The booking, as a line front presents it: with what was entered and is not saved yet.
  public static func booking(for patient: PatientIdentity, _ unsaved: UnsavedEntry?) -> Page {
    Page(
      title: "Book for \(patient.text)",
      blocks: (unsaved?.blocks ?? [
        .paragraph("A booking is one line: when it starts on the clinic's clock, and how long it lasts."),
        .commandLines(["appointments book \(patient.id) tomorrow 9:30 30min --reason 'follow-up'"]),
      ]) + [.notice(Notice(.info, "\"help appointments book\" explains the options", next: "back"))])
  }

  private static func table(
    _ entries: [ScheduleEntry], on day: CalendarDay?, _ display: ScheduleDisplay
  ) -> Table {
    let rows = entries.map { entry in
      Table.Row(
        [
          Table.Cell(day.map { entry.time(on: $0, in: display.zone) } ?? entry.when),
          Table.Cell(entry.patientText, badges: badges(entry)),
          Table.Cell(entry.patient?.birth ?? ""),
          Table.Cell(entry.status, role: entry.occupiesTime ? .plain : .muted),
          Table.Cell(entry.practitioner ?? ""), Table.Cell(entry.location ?? ""), Table.Cell(entry.reason ?? ""),
        ],
        target: RowTarget(kind: Appointment.resourceType, id: entry.id.rawValue))
    }
    return Table(
      columns: [
        Table.Column("time", priority: .high), Table.Column("patient", priority: .high), Table.Column("birth date"),
        Table.Column("status", priority: .high), Table.Column("practitioner"), Table.Column("location", priority: .low),
        Table.Column("reason", priority: .low),
      ],
      rows: rows, empty: display.request.isFiltered ? "no such appointment on this day" : "no appointment on this day")
  }

  private static func badges(_ entry: ScheduleEntry) -> [Badge] {
    entry.isPending ? [.pending] : []
  }

  private static func record(_ entry: ScheduleEntry, zone: ClinicZone) -> Record {
    Record(
      "appointment",
      [
        "id": .string(entry.id.rawValue), "status": .string(entry.status),
        "start": entry.start.map(zone.record) ?? .null, "end": entry.end.map(zone.record) ?? .null,
        "zone": .string(zone.identifier), "patient": entry.patient?.record ?? .null,
        "patientText": .string(entry.patientText), "practitioner": .optional(entry.practitioner),
        "location": .optional(entry.location), "reason": .optional(entry.reason),
        "cancelationReason": .optional(entry.cancelationReason), "comment": .optional(entry.comment),
        "pending": .bool(entry.isPending), "enteredInError": .bool(entry.isWithdrawn),
      ])
  }
}
