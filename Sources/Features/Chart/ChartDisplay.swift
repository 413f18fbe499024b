public import DesignSystem
public import Domain

/// A patient's chart, ready to be shown.
public nonisolated struct ChartDisplay: Equatable, Sendable {
  /// Whose.
  public var patient: PatientIdentity
  /// What should be known before anything else.
  public var notices: [Notice]
  /// What may be said about the allergies as a whole.
  public var allergyHeadline: AllergyPicture.Headline
  /// Whether a record says that there are no allergies while others say that there are.
  public var allergiesContradict: Bool
  /// The allergies, the most dangerous first; statements that there are none behind them.
  public var allergies: Section<ChartRow>
  /// The problems.
  public var problems: Section<ChartRow>
  /// The medications.
  public var medications: Section<ChartRow>
  /// The vaccinations.
  public var immunizations: Section<ChartRow>
  /// What was measured, newest first.
  public var observations: Section<ObservationEntry>
  /// The visits, newest first.
  public var visits: Section<VisitEntry>
  /// The notes, newest first.
  public var notes: Section<NoteEntry>
  /// When the chart was put together, on the clinic's clock.
  public var madeAt: String
  /// The clinic's zone.
  public var zone: ClinicZone

  /// A kind of records, with the age of the answer.
  public struct Section<Entry: Equatable & Sendable>: Equatable, Sendable {
    /// What counts, and what counted once or was refuted; withdrawn ones are not among them.
    public var entries: [Entry]
    /// What was entered in error: kept apart, never counted.
    public var withdrawn: [Entry]
    /// The answer's age and state.
    public var status: AnswerStatus
  }

  /// Something that should be known.
  public struct Notice: Hashable, Sendable {
    /// What is the case.
    public var text: String
    /// What to do next.
    public var next: String?
  }

  /// One moment of the patient's history.
  public struct Moment: Hashable, Sendable {
    /// When, on the clinic's clock.
    public var when: String
    /// What kind of record it is.
    public var kind: String
    /// What it says.
    public var text: String
    /// More about it.
    public var detail: String
    /// The record.
    public var key: ResourceKey
    /// Whether edits wait to be sent.
    public var isPending: Bool
    /// By what it is ordered.
    public var sortTime: DateTime?
  }

  /// Everything that counts or counted and has a time, as one history, newest first. What has no time stands last.
  public func timeline(in zone: ClinicZone) -> [Moment] {
    var moments: [Moment] = []
    func add(_ kind: String, _ rows: [ChartRow]) {
      moments += rows.map {
        Moment(
          when: $0.when ?? "", kind: kind, text: $0.title,
          detail: [$0.state, $0.factText].filter { !$0.isEmpty }.joined(separator: "; "), key: $0.key,
          isPending: $0.isPending, sortTime: $0.sortTime)
      }
    }
    add("problem", problems.entries)
    add("allergy", allergies.entries)
    add("medication", medications.entries)
    add("immunization", immunizations.entries)
    moments += observations.entries.map {
      Moment(
        when: $0.when, kind: "measured", text: "\($0.title) \($0.result)",
        detail: $0.notes.map(\.text).joined(separator: "; "), key: $0.id.key, isPending: $0.isPending,
        sortTime: $0.sortTime)
    }
    moments += visits.entries.map {
      Moment(
        when: $0.when, kind: "visit", text: $0.title,
        detail: [$0.status, $0.reason ?? ""].filter { !$0.isEmpty }.joined(separator: "; "), key: $0.id.key,
        isPending: $0.isPending, sortTime: $0.sortTime)
    }
    moments += notes.entries.map {
      Moment(
        when: $0.when, kind: "note", text: $0.summary, detail: ([$0.state] + $0.authors).joined(separator: "; "),
        key: $0.id.key, isPending: $0.isPending, sortTime: $0.sortTime)
    }
    func order(_ moment: Moment) -> Int64 {
      moment.sortTime?.sortBounds(in: zone).lowerBound.secondsSince1970 ?? .min
    }
    return moments.sorted { (order($1), $1.key) < (order($0), $0.key) }
  }

  /// The ages of all sections, each with its name.
  public var statuses: [(name: String, status: AnswerStatus)] {
    [
      ("allergies", allergies.status), ("problems", problems.status), ("medications", medications.status),
      ("immunizations", immunizations.status), ("observations", observations.status), ("visits", visits.status),
      ("notes", notes.status),
    ]
  }
}
