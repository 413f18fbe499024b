import DesignSystem
import Domain

/// A chart for programs.
nonisolated enum ChartRecords {
  static func records(_ display: ChartDisplay) -> [Record] {
    var records = [summary(display)]
    func add(_ name: String, _ entries: [Record], _ status: AnswerStatus) {
      var freshness = status.record
      freshness.fields.append(Record.Field("section", .string(name)))
      records += entries + [freshness]
    }
    func rows(_ section: ChartDisplay.Section<ChartRow>) -> [Record] {
      (section.entries + section.withdrawn).map(\.record)
    }
    add("allergies", rows(display.allergies), display.allergies.status)
    add("problems", rows(display.problems), display.problems.status)
    add("medications", rows(display.medications), display.medications.status)
    add("immunizations", rows(display.immunizations), display.immunizations.status)
    let observations = display.observations.entries + display.observations.withdrawn
    add("observations", observations.map(ObservationRecord.record), display.observations.status)
    add("visits", (display.visits.entries + display.visits.withdrawn).map(\.record), display.visits.status)
    add("notes", (display.notes.entries + display.notes.withdrawn).map(\.record), display.notes.status)
    return records
  }

  private static func summary(_ display: ChartDisplay) -> Record {
    func count(_ rows: [ChartRow]) -> RecordValue {
      .integer(rows.count { $0.standing == .current && !$0.statesAbsence })
    }
    let headline =
      switch display.allergyHeadline {
      case .some: "recorded"
      case .noneKnown: "none-known"
      case .noneRecorded: "none-recorded"
      }
    return Record(
      "chart",
      [
        "patient": display.patient.record, "notices": .strings(display.notices.map(\.text)),
        "allergyStatement": .string(headline), "allergiesContradict": .bool(display.allergiesContradict),
        "currentAllergies": count(display.allergies.entries), "currentProblems": count(display.problems.entries),
        "currentMedications": count(display.medications.entries),
        "openVisits": .integer(display.visits.entries.count { $0.isOpen }),
      ])
  }
}
