extension ClinicalObservation {
  /// When an observation held true.
  public enum Effective: Hashable, Sendable {
    /// A date of some precision, or a point in time.
    case dateTime(DateTime)
    /// From one time to another.
    case period(Period)
    /// A point in time, in the element for precise ones.
    case instant(Instant)
    /// A form that this version does not read, by the name of its element, such as `effectiveTiming`.
    case other(String)

    /// The time to sort and show by: for a period its start, else its end; `nil` when unknown.
    public var time: DateTime? {
      switch self {
      case .dateTime(let dateTime): dateTime
      case .period(let period): period.start ?? period.end
      case .instant(let instant): .instant(instant)
      case .other: nil
      }
    }
  }

  /// The result of an observation.
  public enum Value: Hashable, Sendable {
    /// A measured amount.
    case quantity(Quantity)
    /// A concept.
    case codeableConcept(CodeableConcept)
    /// A text.
    case string(String)
    /// Yes or no.
    case boolean(Bool)
    /// A whole number.
    case integer(Int)
    /// A time of day, as written.
    case time(String)
    /// A date of some precision, or a point in time.
    case dateTime(DateTime)
    /// From one time to another.
    case period(Period)
    /// A form that this version does not read, by the name of its element, such as `valueSampledData`.
    case other(String)

    /// The result for people; `nil` when there is nothing to show or the form is unknown.
    public func displayText(in zone: ClinicZone) -> String? {
      switch self {
      case .quantity(let quantity): return quantity.displayText
      case .codeableConcept(let concept): return concept.displayText
      case .string(let text): return text.nonBlank
      case .boolean(let flag): return flag ? "yes" : "no"
      case .integer(let number): return String(number)
      case .time(let text): return text.nonBlank
      case .dateTime(let dateTime): return dateTime.displayText(in: zone)
      case .period(let period):
        let start = period.start?.displayText(in: zone) ?? ""
        let end = period.end?.displayText(in: zone) ?? ""
        return start.isEmpty && end.isEmpty ? nil : "\(start)–\(end)"
      case .other: return nil
      }
    }
  }

  /// What is usual for a result.
  public struct ReferenceRange: Hashable, Sendable {
    /// The lower end.
    public var low: Quantity?
    /// The upper end.
    public var high: Quantity?
    /// What the range means, such as normal or critical.
    public var type: CodeableConcept?
    /// The range in words.
    public var text: String?

    /// Makes a range.
    public init(low: Quantity? = nil, high: Quantity? = nil, type: CodeableConcept? = nil, text: String? = nil) {
      self.low = low
      self.high = high
      self.type = type
      self.text = text
    }
  }

  /// A part of an observation with a result of its own.
  public struct Component: Hashable, Sendable {
    /// What was observed.
    public var code: CodeableConcept
    /// The result.
    public var value: Value?
    /// Why there is no result.
    public var dataAbsentReason: CodeableConcept?
    /// High, low, normal and the like.
    public var interpretation: [CodeableConcept]
    /// What is usual for such a result.
    public var referenceRange: [ReferenceRange]

    /// Makes a component.
    public init(
      code: CodeableConcept, value: Value? = nil, dataAbsentReason: CodeableConcept? = nil,
      interpretation: [CodeableConcept] = [], referenceRange: [ReferenceRange] = []
    ) {
      self.code = code
      self.value = value
      self.dataAbsentReason = dataAbsentReason
      self.interpretation = interpretation
      self.referenceRange = referenceRange
    }
  }
}
