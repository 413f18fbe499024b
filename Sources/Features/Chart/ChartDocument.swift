import DesignSystem
import Domain

/// A chart as a page of HTML for printing: it holds everything that it needs, runs nothing, loads nothing, and says how old
/// its data is.
nonisolated enum ChartDocument {
  /// The page. Every text of a record is escaped; the page's own policy forbids scripts and everything from elsewhere.
  static func html(_ display: ChartDisplay) -> String {
    var page = HTMLWriter()
    page.raw("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
    page.raw(
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
        + "base-uri 'none'; form-action 'none'\">\n")
    page.raw("<meta name=\"referrer\" content=\"no-referrer\">\n<meta name=\"robots\" content=\"noindex\">\n")
    page.raw("<meta name=\"viewport\" content=\"width=device-width\">\n")
    page.element("title", "Chart of \(display.patient.displayName)")
    page.raw("<style>\(style)</style>\n</head>\n<body>\n")
    head(display, &page)
    allergies(display, &page)
    rows("Problems", display.problems, &page)
    rows("Medications", display.medications, &page)
    rows("Immunizations", display.immunizations, &page)
    measurements(display, &page)
    visits(display, &page)
    notes(display, &page)
    withdrawn(display, &page)
    page.raw("<footer>\n")
    page.element("p", "\(display.patient.text). Put together \(display.madeAt).")
    page.element("p", "This is a copy: the record may have changed since. Nothing here is a check of interactions.")
    page.raw("</footer>\n</body>\n</html>\n")
    return page.text
  }

  private static func head(_ display: ChartDisplay, _ page: inout HTMLWriter) {
    page.raw("<header>\n")
    page.element("h1", display.patient.displayName)
    page.element("p", display.patient.text)
    page.element("p", "Put together \(display.madeAt) from the data of this device.", class: "age")
    for notice in display.notices { page.element("p", "Warning: \(notice.text).", class: "warning") }
    for (name, status) in display.statuses {
      if let failure = status.failure {
        page.element("p", "Warning: \(name) could not be brought up to date: \(failure.message).", class: "warning")
      }
    }
    page.raw("</header>\n")
  }

  private static func section(
    _ title: String, _ status: AnswerStatus, _ page: inout HTMLWriter, _ body: (inout HTMLWriter) -> Void
  ) {
    page.raw("<section>\n")
    page.element("h2", title)
    page.element("p", status.text, class: "age")
    body(&page)
    page.raw("</section>\n")
  }

  private static func allergies(_ display: ChartDisplay, _ page: inout HTMLWriter) {
    section("Allergies", display.allergies.status, &page) { page in
      if display.allergiesContradict {
        page.element(
          "p", "Warning: a record says that no allergies are known, and others name some.", class: "warning")
      }
      switch display.allergyHeadline {
      case .noneKnown: page.element("p", "No known allergies (recorded as such).")
      case .noneRecorded: page.element("p", "None recorded.")
      case .some: break
      }
      let entries = display.allergies.entries
      table(
        entries.filter {
          $0.standing == .current && (!$0.statesAbsence || display.allergyHeadline != .noneKnown)
        }, &page)
      apart("Past", entries.filter { $0.standing == .past }, &page)
      apart("Refuted", entries.filter { $0.standing == .refuted }, &page)
    }
  }

  private static func rows(
    _ title: String, _ section: ChartDisplay.Section<ChartRow>, _ page: inout HTMLWriter
  ) {
    self.section(title, section.status, &page) { page in
      let current = section.entries.filter { $0.standing == .current }
      if current.isEmpty { page.element("p", "None recorded.") } else { table(current, &page) }
      apart("Past", section.entries.filter { $0.standing == .past }, &page)
      apart("Refuted or not given", section.entries.filter { $0.standing == .refuted }, &page)
    }
  }

  private static func apart(_ title: String, _ rows: [ChartRow], _ page: inout HTMLWriter) {
    guard !rows.isEmpty else { return }
    page.element("h3", title)
    table(rows, &page)
  }

  private static func table(_ rows: [ChartRow], _ page: inout HTMLWriter) {
    guard !rows.isEmpty else { return }
    page.table(
      ["What", "State", "When", "Details"],
      rows.map { row in
        var marks: [String] = []
        if row.isDangerous { marks.append("HIGH RISK") }
        if row.formerRecord != nil { marks.append("on the old record") }
        if row.isPending { marks.append("not sent yet") }
        let title = row.title + (marks.isEmpty ? "" : " [\(marks.joined(separator: ", "))]")
        return [title, row.state, row.when ?? "", row.factText]
      })
  }

  private static func measurements(_ display: ChartDisplay, _ page: inout HTMLWriter) {
    section("Measurements", display.observations.status, &page) { page in
      if display.observations.entries.isEmpty { page.element("p", "None recorded.") }
      page.table(
        ["Measured", "What", "Result", "Notes"],
        display.observations.entries.map {
          [
            $0.when, $0.title, $0.result + ($0.isPending ? " [not sent yet]" : ""),
            $0.notes.map(\.text).joined(separator: "; "),
          ]
        })
    }
  }

  private static func visits(_ display: ChartDisplay, _ page: inout HTMLWriter) {
    section("Visits", display.visits.status, &page) { page in
      if display.visits.entries.isEmpty { page.element("p", "None recorded.") }
      page.table(
        ["When", "What", "State", "Reason", "With"],
        display.visits.entries.map {
          [$0.when, $0.title, $0.status, $0.reason ?? "", $0.participants.joined(separator: ", ")]
        })
    }
  }

  private static func notes(_ display: ChartDisplay, _ page: inout HTMLWriter) {
    section("Notes", display.notes.status, &page) { page in
      if display.notes.entries.isEmpty { page.element("p", "None recorded.") }
      for note in display.notes.entries {
        page.raw("<article>\n")
        page.element("h3", "\(note.title), \(note.when)")
        let addition = note.appendedTo.map { ["adds to \($0.key)"] } ?? []
        page.element(
          "p",
          ([note.state] + note.authors + addition + (note.isPending ? ["not sent yet"] : [])).joined(separator: ", "),
          class: "age")
        page.element("div", note.shownText, class: "note")
        page.raw("</article>\n")
      }
    }
  }

  private static func withdrawn(_ display: ChartDisplay, _ page: inout HTMLWriter) {
    let rows =
      [display.allergies, display.problems, display.medications, display.immunizations]
      .flatMap(\.withdrawn).map { [$0.key.type, $0.title] }
      + display.observations.withdrawn.map { ["Observation", "\($0.title) \($0.result)"] }
      + display.visits.withdrawn.map { ["Encounter", "\($0.title) \($0.when)"] }
      + display.notes.withdrawn.map { ["DocumentReference", $0.summary] }
    guard !rows.isEmpty else { return }
    page.raw("<section class=\"withdrawn\">\n")
    page.element("h2", "Entered in error")
    page.element("p", "Withdrawn, and not counted above.")
    page.table(["Kind", "What"], rows)
    page.raw("</section>\n")
  }

  private static let style = """
    body{font:11pt/1.4 Georgia,serif;margin:2em auto;max-width:50em;color:#111;background:#fff}
    h1{font-size:1.6em;margin:0}h2{font-size:1.2em;border-bottom:1px solid #888;margin:1.4em 0 .3em}
    h3{font-size:1em;margin:.8em 0 .2em}table{border-collapse:collapse;width:100%}
    th,td{border:1px solid #999;padding:.2em .4em;text-align:left;vertical-align:top;overflow-wrap:anywhere}
    .age{color:#444;font-style:italic;margin:.2em 0}.warning{font-weight:bold;border:2px solid #111;padding:.3em}
    .note{white-space:pre-wrap;overflow-wrap:anywhere;border-left:3px solid #888;padding-left:.6em}
    .withdrawn td{text-decoration:line-through}footer{margin-top:2em;border-top:1px solid #888;font-size:.9em}
    @media print{body{margin:0;max-width:none;font-size:10pt}tr,article{break-inside:avoid}h2,h3{break-after:avoid}
    thead{display:table-header-group}}
    """
}
