public import DesignSystem
public import Domain
public import Observation

/// The values of one code over time.
@Observable
public final class TrendViewModel {
  /// What is shown.
  public private(set) var state: LoadState<TrendDisplay> = .idle

  private let repositories: ChartRepositories
  private let errors: any ErrorRouting
  private let context: ClinicContext

  /// How many observations of one code are read.
  static let limit = 500

  /// Creates the model.
  public init(repositories: ChartRepositories, errors: any ErrorRouting, context: ClinicContext) {
    self.repositories = repositories
    self.errors = errors
    self.context = context
  }

  /// Shows the values of a code: a LOINC or other code, or the name of a vital sign.
  ///
  /// Values of different units are drawn apart, since nothing is converted unasked.
  public func load(_ patient: Patient.ID, code word: String, reading: ReadMode) async {
    state = .loading
    do throws(AppError) {
      let codes = Self.codes(word)
      let people = repositories.patients.patient(patient, policy: reading.policy)
      guard let person = reading == .settled ? await people.settled() : await people.first() else {
        throw .interrupted
      }
      guard let value = person.value else {
        throw person.isDeleted
          ? AppError(.deleted, "\(patient.key) was deleted at the server")
          : .unknown(patient.key, mode: reading, revalidation: person.revalidation)
      }
      var found: [RecordedObservation] = []
      var status: AnswerStatus?
      for code in codes.asked {
        let answers = repositories.observations.observations(
          matching: ObservationQuery(patient: patient, code: code, limit: Self.limit), policy: reading.policy)
        guard let answer = reading == .settled ? await answers.settled() : await answers.first() else {
          throw .interrupted
        }
        found += answer.value ?? []
        status = AnswerStatus(answer, context)
      }
      guard let status else { throw .interrupted }
      if let failure = status.failure { errors.present(failure) }
      state = .showing(display(value, word, codes.shown, found, status))
    } catch {
      errors.present(error)
      state = .failed(error)
    }
  }

  /// The codes to ask for, and those whose values are drawn; `nil` draws all of a panel's.
  private static func codes(_ word: String) -> (asked: [String], shown: Set<String>?) {
    let panel = "85354-9"
    let name = word.lowercased()
    if name == "bp" || word == panel { return ([panel], nil) }
    let names = ["temp": VitalSign.temperature, "spo2": .oxygenSaturation, "resp": .respiration]
    let sign = names[name] ?? VitalSign.allCases.first { $0.rawValue.lowercased() == name || $0.loinc == word }
    guard let sign else { return ([word], [word]) }
    switch sign {
    case .systolic, .diastolic: return ([panel, sign.loinc], [sign.loinc])
    default: return ([sign.loinc], [sign.loinc])
    }
  }

  private func display(
    _ patient: Patient, _ word: String, _ shown: Set<String>?, _ found: [RecordedObservation], _ status: AnswerStatus
  ) -> TrendDisplay {
    var display = TrendDisplay(
      patient: PatientIdentity(patient, today: context.today), code: word, status: status)
    func order(_ observation: ClinicalObservation) -> Int64 {
      observation.sortTime?.sortBounds(in: context.zone).lowerBound.secondsSince1970 ?? .min
    }
    for recorded in found.sorted(by: {
      (order($0.observation), $0.id.rawValue) < (order($1.observation), $1.id.rawValue)
    }) {
      let entry = ObservationEntry(recorded, context: context)
      if entry.isWithdrawn {
        display.withdrawn += 1
        continue
      }
      var hasNumber = false
      for part in entry.parts {
        guard shown.map({ part.code.map($0.contains) ?? false }) ?? true, let quantity = part.quantity,
          let value = quantity.value
        else { continue }
        hasNumber = true
        display.add(
          TrendDisplay.Point(
            id: entry.id, when: entry.when, effective: entry.effective, quantity: quantity, value: value,
            isPending: entry.isPending), title: part.title)
      }
      if !hasNumber { display.withoutNumber += 1 }
    }
    return display
  }
}

/// Values over time, ready to be drawn.
public nonisolated struct TrendDisplay: Hashable, Sendable {
  /// Whose.
  public var patient: PatientIdentity
  /// What was asked for.
  public var code: String
  /// One series a kind of value and unit.
  public var series: [Series] = []
  /// How many observations have no number.
  public var withoutNumber = 0
  /// How many were entered in error: not drawn.
  public var withdrawn = 0
  /// The answer's age and state.
  public var status: AnswerStatus

  init(patient: PatientIdentity, code: String, status: AnswerStatus) {
    self.patient = patient
    self.code = code
    self.status = status
  }

  /// Values of one kind in one unit, oldest first.
  public struct Series: Hashable, Sendable {
    /// What was measured.
    public var title: String
    /// The unit as recorded.
    public var unit: String
    /// Oldest first.
    public var points: [Point]
  }

  /// One value.
  public struct Point: Hashable, Sendable {
    /// The observation.
    public var id: ClinicalObservation.ID
    /// When, on the clinic's clock.
    public var when: String
    /// When, for programs.
    public var effective: String?
    /// The amount as recorded.
    public var quantity: Quantity
    /// Its number.
    public var value: PreciseDecimal
    /// Whether edits wait to be sent.
    public var isPending: Bool
  }

  mutating func add(_ point: Point, title: String) {
    let unit = point.quantity.unit ?? point.quantity.code ?? ""
    if let index = series.firstIndex(where: { $0.title == title && $0.unit == unit }) {
      series[index].points.append(point)
    } else {
      series.append(Series(title: title, unit: unit, points: [point]))
    }
  }
}
