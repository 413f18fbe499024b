public import DesignSystem
import Domain

extension ChartScreen {
  /// Values over time.
  public static func page(_ display: TrendDisplay) -> Page {
    var blocks: [Block] = [.paragraph(display.patient.text), .spacer]
    if display.series.isEmpty { blocks += [.paragraph("no number is recorded for \"\(display.code)\""), .spacer] }
    for series in display.series {
      blocks.append(
        .plot(
          Plot(
            title: series.title, unit: series.unit,
            points: series.points.map {
              Plot.Point(
                $0.when, value: $0.value.approximation,
                text: ($0.quantity.comparator?.rawValue ?? "") + $0.value.text,
                badges: $0.isPending ? [.pending] : [])
            })))
      blocks.append(.spacer)
    }
    if Set(display.series.map(\.title)).count < display.series.count {
      blocks.append(
        .notice(Notice(.info, "the values are recorded in several units, which are not converted but drawn apart")))
    }
    if display.withoutNumber > 0 {
      blocks.append(.notice(Notice(.info, "not drawn: \(display.withoutNumber) without a number")))
    }
    if display.withdrawn > 0 {
      blocks.append(.notice(Notice(.info, "not drawn: \(display.withdrawn) entered in error")))
    }
    return Page(
      title: "Trend of \(display.series.first?.title ?? display.code)", blocks: blocks + display.status.blocks,
      records: display.series.map { record($0, display) } + [display.status.record],
      warnings: display.status.warnings)
  }

  private static func record(_ series: TrendDisplay.Series, _ display: TrendDisplay) -> Record {
    Record(
      "trend",
      [
        "patient": display.patient.record, "code": .string(display.code), "title": .string(series.title),
        "unit": .string(series.unit),
        "points": .array(
          series.points.map { point in
            [
              "id": .string(point.id.rawValue), "effective": .optional(point.effective),
              "quantity": ObservationRecord.quantity(point.quantity), "pending": .bool(point.isPending),
            ]
          }),
      ])
  }
}
