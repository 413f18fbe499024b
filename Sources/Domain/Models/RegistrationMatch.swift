import Foundation

/// How likely two registrations are of one person, as a score with its reasons.
///
/// Points are added and taken away: a shared identifier 60; birth date to the day 30, compatible but partial 10, different
/// −40; family name 20; a shared given name 15, different given names −15; gender equal 5, different −15; a shared phone or
/// e-mail 10. Missing facts neither add nor take. 60 and more is ``Likelihood/likely``, 40 and more
/// ``Likelihood/possible``. It is a hint for a person, who decides: nothing is ever merged by it.
public struct RegistrationMatch: Hashable, Sendable {
  /// The sum of the points, 0 to 100.
  public let score: Int
  /// What counted, in the order of the table above.
  public let reasons: [Reason]

  /// Something that counts for or against.
  public enum Reason: String, CaseIterable, Hashable, Sendable {
    /// Both carry an identifier of the same system and value.
    case sameIdentifier = "same identifier"
    /// Both birth dates are known to the day and equal.
    case sameBirthDate = "same birth date"
    /// One birth date is less precise and fits the other.
    case compatibleBirthDate = "birth dates fit"
    /// The birth dates contradict each other.
    case differentBirthDate = "different birth dates"
    /// A family name, present or former, is shared.
    case sameFamilyName = "same family name"
    /// A given name is shared.
    case sameGivenName = "same given name"
    /// Both have given names and share none.
    case differentGivenName = "different given names"
    /// The genders are equal.
    case sameGender = "same gender"
    /// The genders differ.
    case differentGender = "different gender"
    /// A phone number or an e-mail address is shared.
    case sameContact = "same phone or e-mail"

    /// The points this adds, or takes away when negative.
    public var points: Int {
      switch self {
      case .sameIdentifier: 60
      case .sameBirthDate: 30
      case .compatibleBirthDate: 10
      case .differentBirthDate: -40
      case .sameFamilyName: 20
      case .sameGivenName: 15
      case .differentGivenName: -15
      case .sameGender: 5
      case .differentGender: -15
      case .sameContact: 10
      }
    }
  }

  /// A score in words.
  public enum Likelihood: Hashable, Sendable {
    /// Probably one person: ask before registering again.
    case likely
    /// May be one person: show it.
    case possible
    /// Nothing suggests it.
    case unlikely
  }

  /// The score in words.
  public var likelihood: Likelihood {
    score >= 60 ? .likely : score >= 40 ? .possible : .unlikely
  }

  /// Compares two registrations.
  public init(_ left: Patient, _ right: Patient) {
    var reasons: [Reason] = []
    if !Self.identifiers(left).isDisjoint(with: Self.identifiers(right)) { reasons.append(.sameIdentifier) }
    if let mine = left.birthDate.value, let theirs = right.birthDate.value {
      reasons.append(
        !mine.isCompatible(with: theirs)
          ? .differentBirthDate : mine == theirs && mine.exactDay != nil ? .sameBirthDate : .compatibleBirthDate)
    }
    if !Self.familyNames(left).isDisjoint(with: Self.familyNames(right)) { reasons.append(.sameFamilyName) }
    let mine = Self.givenNames(left)
    let theirs = Self.givenNames(right)
    if !mine.isEmpty, !theirs.isEmpty {
      reasons.append(mine.isDisjoint(with: theirs) ? .differentGivenName : .sameGivenName)
    }
    if let mine = Self.gender(left), let theirs = Self.gender(right) {
      reasons.append(mine == theirs ? .sameGender : .differentGender)
    }
    if !Self.contacts(left).isDisjoint(with: Self.contacts(right)) { reasons.append(.sameContact) }
    self.reasons = reasons
    score = min(max(reasons.reduce(0) { $0 + $1.points }, 0), 100)
  }

  private static func identifiers(_ patient: Patient) -> Set<[String]> {
    Set(
      patient.identifier.compactMap { identifier in
        guard let system = identifier.system?.nonBlank, let value = identifier.value?.nonBlank else { return nil }
        return [system, value]
      })
  }

  private static func familyNames(_ patient: Patient) -> Set<String> {
    Set(patient.name.compactMap { $0.family?.nonBlank.map(folded) })
  }

  private static func givenNames(_ patient: Patient) -> Set<String> {
    Set(patient.name.flatMap(\.given).compactMap { $0.nonBlank.map(folded) })
  }

  private static func gender(_ patient: Patient) -> AdministrativeGender? {
    guard let gender = patient.gender?.known, gender != .unknown else { return nil }
    return gender
  }

  private static func contacts(_ patient: Patient) -> Set<String> {
    Set(
      patient.telecom.compactMap { point in
        switch point.system?.known {
        case .email: point.value?.nonBlank.map(folded)
        case .phone, .sms: point.digits.count >= 6 ? point.digits : nil
        default: nil
        }
      })
  }

  private static func folded(_ text: String) -> String {
    text.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
  }
}
