extension Patient {
  /// The name to show, family name first; `nil` when the record holds no name.
  public var nameText: String? { name.preferred?.displayText }

  /// What tells this patient apart on a screen: the name, else an identifier, else the id. Never empty.
  public var displayName: String {
    nameText ?? identifier.preferred?.displayText ?? id.rawValue.nonBlank ?? Self.resourceType
  }

  /// The age on a day; `nil` when the birth date is not recorded, withheld or in the future, or the patient is dead.
  public func age(on day: CalendarDay) -> Age? {
    if deceased?.isDeceased == true { return nil }
    return birthDate.value?.age(on: day)
  }

  /// The birth date for people: as written, or why it is not given.
  public var birthDateText: String {
    switch birthDate {
    case .value(let date): date.description
    case .absent(let reason): "birth date not given (\(reason.rawValue))"
    case .notRecorded: "birth date not recorded"
    }
  }

  /// The record that must be used instead of this one; `nil` when this one stands.
  public var replacedBy: Patient.ID? {
    for link in link where link.type == .known(.replacedBy) {
      if let key = link.other.key, key.type == Self.resourceType { return ID(key.id) }
    }
    return nil
  }

  /// Whether the record says that another must be used instead, even if it cannot be told which.
  public var isReplaced: Bool { link.contains { $0.type == .known(.replacedBy) } }

  /// Whether this is an ordinary record in use: neither switched off nor replaced.
  public var isCurrent: Bool { active != false && !isReplaced }
}
