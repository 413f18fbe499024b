public import DesignSystem
import Domain

extension SchedulingScreen {
  /// The free times of a day.
  public static func page(_ display: FreeSlotsDisplay) -> Page {
    let day = display.request.day
    let zone = display.zone
    let names = [zone.identifier, zone.onlyAbbreviation(on: day...day)].compactMap(\.self).joined(separator: ", ")
    var blocks: [Block] = []
    for group in display.groups {
      if let name = group.name { blocks.append(.heading(name)) }
      blocks += group.spans.isEmpty ? [.paragraph(emptiness(group, display), role: .muted)] : [.table(table(group))]
    }
    if display.groups.allSatisfy({ $0.source == .none }) {
      blocks.append(
        .notice(
          Notice(
            .info, "nothing says when the clinic works: the server has no schedule, and the profile names no hours",
            next: "give the profile \"hours\": \"mon-fri 08:00-12:00 13:00-17:00\"")))
    } else if let group = display.groups.first(where: { !$0.spans.isEmpty }), let span = group.spans.first {
      blocks.append(.spacer)
      blocks.append(.commandLines([booking(span, of: group, display)]))
    }
    let place = display.location.map { ", \($0)" } ?? ""
    return Page(
      title: "Free on \(zone.text(day))\(display.isToday ? ", today" : "")\(place) (\(names))",
      blocks: blocks + [.spacer] + display.status.blocks,
      records: display.groups.flatMap { group in group.spans.map { record($0, of: group, display) } }
        + [display.status.record], warnings: display.status.warnings)
  }

  private static func table(_ group: FreeSlotsDisplay.Group) -> Table {
    Table(
      columns: [
        Table.Column("time", priority: .high), Table.Column("minutes", alignment: .trailing),
        Table.Column("known from"),
      ],
      rows: group.spans.map {
        Table.Row([Table.Cell($0.text), Table.Cell("\($0.minutes)"), Table.Cell(words(group.source))])
      })
  }

  private static func words(_ source: PlannedTime.Source) -> String {
    switch source {
    case .schedule: "the server's schedule"
    case .hours: "the profile's working hours"
    case .none: "nothing"
    }
  }

  private static func emptiness(_ group: FreeSlotsDisplay.Group, _ display: FreeSlotsDisplay) -> String {
    switch group.source {
    case .none: "no working hours are known"
    case .schedule, .hours:
      group.isOpen
        ? "nothing is free any more\(display.isToday ? " today" : " on this day")"
        : "closed on this day, by \(words(group.source))"
    }
  }

  private static func booking(
    _ span: FreeSlotsDisplay.Span, of group: FreeSlotsDisplay.Group, _ display: FreeSlotsDisplay
  ) -> String {
    var line = "appointments book REF \(span.words) \(span.minutes)min"
    if let choice = span.choice { line += " --\(choice)" }
    if let id = group.practitioner { line += " --practitioner \(id)" }
    if let id = display.request.location { line += " --location \(id)" }
    return line
  }

  private static func record(
    _ span: FreeSlotsDisplay.Span, of group: FreeSlotsDisplay.Group, _ display: FreeSlotsDisplay
  ) -> Record {
    Record(
      "freeSlot",
      [
        "start": display.zone.record(span.start), "end": display.zone.record(span.end),
        "zone": .string(display.zone.identifier), "practitioner": .optional(group.name),
        "practitionerId": .optional(group.practitioner?.rawValue), "location": .optional(display.location),
        "source": .string(group.source.rawValue),
      ])
  }
}
