/// When something began or ended, in the forms that FHIR allows for `onset[x]` and `abatement[x]`.
public enum Onset: Hashable, Sendable {
  /// A date of some precision, or a point in time.
  case dateTime(DateTime)
  /// The patient's age then.
  case age(Quantity)
  /// From one time to another.
  case period(Period)
  /// In words.
  case string(String)
  /// A form that this version does not read, by the name of its element, such as `onsetRange`.
  case other(String)

  /// The time to sort by; `nil` when the form has none.
  public var time: DateTime? {
    switch self {
    case .dateTime(let time): time
    case .period(let period): period.start ?? period.end
    case .age, .string, .other: nil
    }
  }

  /// For people; `nil` when there is nothing to show.
  public func displayText(in zone: ClinicZone) -> String? {
    switch self {
    case .dateTime(let time): time.displayText(in: zone)
    case .age(let age): age.displayText.map { "at age \($0)" }
    case .period(let period): period.displayText(in: zone)
    case .string(let text): text.nonBlank
    case .other(let element): "recorded as \(element)"
    }
  }
}

extension Period {
  /// For people: both ends as recorded, an open one left out; `nil` when both are open.
  public func displayText(in zone: ClinicZone) -> String? {
    switch (start?.displayText(in: zone), end?.displayText(in: zone)) {
    case (let start?, let end?): "\(start) – \(end)"
    case (let start?, nil): "since \(start)"
    case (nil, let end?): "until \(end)"
    case (nil, nil): nil
    }
  }
}
