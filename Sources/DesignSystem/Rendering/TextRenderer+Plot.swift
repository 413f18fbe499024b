extension TextRenderer {
  /// A line for each point: when, the value as recorded, and a mark between the smallest and the largest value.
  func lines(of plot: Plot) -> [StyledLine] {
    let values = plot.points.map(\.value).filter(\.isFinite)
    var heading = VisibleText.flat(plot.title)
    let unit = VisibleText.flat(plot.unit)
    if !unit.isEmpty { heading += " in \(unit)" }
    let lowest = plot.points.filter(\.value.isFinite).min { $0.value < $1.value }
    let highest = plot.points.filter(\.value.isFinite).max { $0.value < $1.value }
    if let lowest, let highest {
      heading += ", from \(VisibleText.flat(lowest.text)) to \(VisibleText.flat(highest.text))"
    }
    var lines = prose(heading, role: .plain, isStrong: true)
    guard !plot.points.isEmpty else { return lines + [StyledLine("no values", role: .muted)] }

    let labels = plot.points.map { VisibleText.flat($0.label) }
    let texts = plot.points.map { VisibleText.flat($0.text) }
    let labelWidth = labels.map { DisplayWidth.of($0) }.max() ?? 0
    let textWidth = texts.map { DisplayWidth.of($0) }.max() ?? 0
    let badgeWidth = plot.points.map { $0.badges.isEmpty ? 0 : line(of: $0.badges).width + 2 }.max() ?? 0
    let room = min(proseWidth, width) - labelWidth - textWidth - badgeWidth - 4
    let scale = Scale(values: values, columns: min(room, 50))
    for (index, point) in plot.points.enumerated() {
      var line: StyledLine
      if screenReader {
        line = StyledLine(
          "\(labels[index]): \(texts[index])" + (unit.isEmpty || !point.value.isFinite ? "" : " \(unit)"))
      } else {
        line = StyledLine(labels[index], role: .muted).padded(to: labelWidth + 2)
        line.append(StyledLine(texts[index]).padded(to: textWidth, alignment: .trailing))
        if let scale {
          line.append("  ")
          line.append(scale.bar(for: point.value), role: .accent)
        }
      }
      if !point.badges.isEmpty {
        line.append(screenReader ? " " : "  ")
        line.append(self.line(of: point.badges))
      }
      lines += line.wrapped(to: width)
    }
    return lines
  }
}

/// Where a value stands between the smallest and the largest.
private struct Scale {
  let lowest: Double
  let highest: Double
  let columns: Int

  /// Nil where there is no room or nothing to compare.
  init?(values: [Double], columns: Int) {
    guard columns >= 8, let lowest = values.min(), let highest = values.max() else { return nil }
    self.lowest = lowest
    self.highest = highest
    self.columns = columns
  }

  func bar(for value: Double) -> String {
    guard value.isFinite else { return String(repeating: " ", count: columns) }
    // Halved before subtracting, so that the largest numbers do not overflow.
    let range = highest / 2 - lowest / 2
    let fraction = range > 0 ? (value / 2 - lowest / 2) / range : 0.5
    let before = Int((fraction * Double(columns - 1)).rounded())
    return String(repeating: ".", count: before) + "*" + String(repeating: " ", count: columns - 1 - before)
  }
}
