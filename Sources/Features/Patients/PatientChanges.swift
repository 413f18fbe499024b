import DesignSystem
public import Domain

/// What a line changes in a patient: `nil` leaves an element as it is, an empty text removes it.
public nonisolated struct PatientChanges: Hashable, Sendable {
  /// What changes in a name.
  public var name = NameChange()
  /// The date of birth.
  public var birthDate: PartialDate?
  /// The administrative gender.
  public var gender: AdministrativeGender?
  /// Whether, and when, the patient died.
  public var deceased: DeceasedChange?
  /// A phone number.
  public var phone: String?
  /// Which phone number is meant; the one to call first if not given.
  public var phoneUse: ContactUse?
  /// The first e-mail address.
  public var email: String?
  /// What changes in an address.
  public var address = AddressChange()
  /// Identifiers that are added.
  public var identifiers: [Identifier] = []
  /// Identifiers that are taken away, by system and value.
  public var removedIdentifiers: [Identifier] = []

  /// Changes nothing.
  public init() {}

  /// What is said of a death.
  public enum DeceasedChange: Hashable, Sendable {
    /// Nothing any more.
    case removed
    /// Whether, and when.
    case said(Patient.Deceased)
  }

  /// Checks what can be checked without the patient.
  ///
  /// - Throws: `invalidInput` when nothing would be changed, for what lies in the future, for an end before its
  ///   beginning, and for a use without what it is of.
  func validate(today: CalendarDay) throws(AppError) {
    if self == PatientChanges() {
      throw AppError(.invalidInput, "nothing to change was given", hint: "help patients edit")
    }
    if let birthDate, birthDate.lowerDay > today {
      throw AppError(.invalidInput, "the birth date \(birthDate) lies in the future", field: "birthDate")
    }
    if case .said(.dateTime(.date(let date)))? = deceased, date.lowerDay > today {
      throw AppError(.invalidInput, "the date of death \(date) lies in the future", field: "deceased")
    }
    if phoneUse != nil, phone == nil {
      throw AppError(.invalidInput, "--phone-use says which phone, and no --phone is given", field: "phone")
    }
    try name.validate()
    try address.validate()
  }

  /// Makes the changes. An element that no change names stays exactly as it is.
  func apply(to patient: inout Patient) throws(AppError) {
    name.apply(to: &patient.name)
    if let birthDate { patient.birthDate = .value(birthDate) }
    if let gender { patient.gender = .known(gender) }
    switch deceased {
    case .said(let deceased): patient.deceased = deceased
    case .removed: patient.deceased = nil
    case nil: break
    }
    if let phone { set(phone, system: .phone, at: phoneIndex(in: patient.telecom), in: &patient.telecom) }
    if let email {
      let index = patient.telecom.firstIndex { $0.system == .known(.email) && $0.use != .known(.old) }
      set(email, system: .email, at: index, in: &patient.telecom)
    }
    address.apply(to: &patient.address)
    for identifier in identifiers where !patient.identifier.contains(where: { $0.isSame(as: identifier) }) {
      patient.identifier.append(identifier)
    }
    for identifier in removedIdentifiers {
      guard patient.identifier.contains(where: { $0.isSame(as: identifier) }) else {
        throw AppError(
          .invalidInput, "the patient has no identifier \(identifier.system ?? "")|\(identifier.value ?? "")",
          hint: "patients show lists them", field: "remove-identifier")
      }
      patient.identifier.removeAll { $0.isSame(as: identifier) }
    }
  }

  /// The phone that is meant.
  private func phoneIndex(in telecom: [ContactPoint]) -> Int? {
    guard let phoneUse else {
      return telecom.preferredPhone.flatMap { telecom.firstIndex(of: $0) }
    }
    return telecom.firstIndex {
      ($0.system == .known(.phone) || $0.system == .known(.sms)) && $0.use == .known(phoneUse)
    }
  }

  private func set(_ value: String, system: ContactSystem, at index: Int?, in telecom: inout [ContactPoint]) {
    switch (index, value.isEmpty) {
    case (let index?, true): telecom.remove(at: index)
    case (let index?, false): telecom[index].value = value
    case (nil, false):
      telecom.append(
        ContactPoint(
          system: .known(system), value: value, use: system == .phone ? phoneUse.map(OpenCode.known) : nil))
    case (nil, true): break
    }
  }

  /// The changes as labels and values, for the echo.
  var details: [WriteEcho.Detail] {
    let phoneLabel = phoneUse.map { "phone (\($0.rawValue))" } ?? "phone"
    let plain: [(String, String?)] = [
      ("new birth date", birthDate?.description), ("gender", gender?.rawValue), ("deceased", deceased?.text),
      (phoneLabel, phone), ("email", email),
    ]
    var pairs = name.details + plain + address.details
    for identifier in identifiers { pairs.append(("identifier", identifier.displayText)) }
    for identifier in removedIdentifiers { pairs.append(("identifier removed", identifier.displayText)) }
    return pairs.compactMap { label, value in
      value.map { WriteEcho.Detail(label, $0.isEmpty ? "removed" : $0) }
    }
  }
}

extension PatientChanges.DeceasedChange {
  fileprivate nonisolated var text: String {
    switch self {
    case .removed: ""
    case .said(.boolean(let flag)): flag ? "yes" : "no"
    case .said(.dateTime(let time)): time.description
    }
  }
}

extension Identifier {
  /// Whether both are one number of one system.
  fileprivate nonisolated func isSame(as other: Identifier) -> Bool { system == other.system && value == other.value }
}
