/// The vital signs that this package takes, with their LOINC codes and UCUM units
/// (hl7.org/fhir/R4/observation-vitalsigns.html), and which numbers can be right.
public enum VitalSign: String, CaseIterable, Hashable, Sendable {
  /// Heart rate.
  case pulse
  /// Systolic blood pressure.
  case systolic
  /// Diastolic blood pressure.
  case diastolic
  /// Body temperature.
  case temperature
  /// Oxygen saturation.
  case oxygenSaturation
  /// Body weight.
  case weight
  /// Body height.
  case height
  /// Breaths per minute.
  case respiration

  /// The LOINC code.
  public var loinc: String {
    switch self {
    case .pulse: "8867-4"
    case .systolic: "8480-6"
    case .diastolic: "8462-4"
    case .temperature: "8310-5"
    case .oxygenSaturation: "59408-5"
    case .weight: "29463-7"
    case .height: "8302-2"
    case .respiration: "9279-1"
    }
  }

  /// The UCUM unit in which the sign is recorded.
  public var ucum: String {
    switch self {
    case .pulse, .respiration: UCUM.perMinute
    case .systolic, .diastolic: UCUM.millimetresOfMercury
    case .temperature: UCUM.celsius
    case .oxygenSaturation: UCUM.percent
    case .weight: UCUM.kilogram
    case .height: UCUM.centimetre
    }
  }

  /// The unit for people.
  public var unit: String {
    switch self {
    case .systolic, .diastolic: "mmHg"
    case .temperature: "°C"
    case .pulse, .oxygenSaturation, .weight, .height, .respiration: ucum
    }
  }

  /// The name for people.
  public var title: String {
    switch self {
    case .pulse: "Pulse"
    case .systolic: "Systolic blood pressure"
    case .diastolic: "Diastolic blood pressure"
    case .temperature: "Body temperature"
    case .oxygenSaturation: "Oxygen saturation"
    case .weight: "Body weight"
    case .height: "Body height"
    case .respiration: "Respiration"
    }
  }

  /// Finds the sign that a concept codes; `nil` when it is none of these.
  public init?(_ concept: CodeableConcept) {
    guard let sign = Self.allCases.first(where: { concept.contains(system: CodeSystem.loinc, code: $0.loinc) })
    else { return nil }
    self = sign
  }

  /// The concept to record.
  public var concept: CodeableConcept {
    CodeableConcept(coding: [Coding(system: CodeSystem.loinc, code: loinc, display: loincName)], text: title)
  }

  /// LOINC's own words for the code.
  private var loincName: String {
    switch self {
    case .pulse: "Heart rate"
    case .respiration: "Respiratory rate"
    case .oxygenSaturation: "Oxygen saturation in Arterial blood by Pulse oximetry"
    case .systolic, .diastolic, .temperature, .weight, .height: title
    }
  }
}
