/// What a chart may say about a patient's allergies as a whole.
public struct AllergyPicture: Hashable, Sendable {
  /// Those that count, the most dangerous first.
  public var current: [AllergyIntolerance] = []
  /// Those that counted once.
  public var past: [AllergyIntolerance] = []
  /// Those that were shown not to be so.
  public var refuted: [AllergyIntolerance] = []
  /// Those that were entered in error: apart, never counted.
  public var withdrawn: [AllergyIntolerance] = []
  /// Standing statements that there is none.
  public var absences: [AllergyIntolerance] = []

  /// What stands above the list.
  public enum Headline: Hashable, Sendable {
    /// There are some.
    case some(Int)
    /// A coded record says that none are known.
    case noneKnown
    /// Nothing counts, and nothing says that there are none.
    case noneRecorded
  }

  /// Sorts a patient's records.
  public init(_ allergies: [AllergyIntolerance]) {
    for allergy in allergies.sorted(by: { $0.precedes($1) }) {
      switch allergy.standing {
      case .current where allergy.absence != nil: absences.append(allergy)
      case .current: current.append(allergy)
      case .past: past.append(allergy)
      case .refuted: refuted.append(allergy)
      case .enteredInError: withdrawn.append(allergy)
      }
    }
  }

  /// What stands above the list: "no known allergies" only when a coded record says so, and none that counts speaks against
  /// it.
  public var headline: Headline {
    if !current.isEmpty { return .some(current.count) }
    return absences.contains { $0.absence == .any } ? .noneKnown : .noneRecorded
  }

  /// Whether a record says that there are none while others say that there are.
  public var contradictsItself: Bool { !current.isEmpty && absences.contains { $0.absence == .any } }
}
