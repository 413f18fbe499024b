import DesignSystem
public import Domain

/// What a line changes in a patient: `nil` leaves an element as it is, an empty text removes it.
public nonisolated struct PatientChanges: Hashable, Sendable {
  /// The family name of the name that is shown.
  public var family: String?
  /// The given names of the name that is shown.
  public var given: [String]?
  /// The date of birth.
  public var birthDate: PartialDate?
  /// The administrative gender.
  public var gender: AdministrativeGender?
  /// The phone number to call first.
  public var phone: String?
  /// The first e-mail address.
  public var email: String?
  /// The lines of the first address.
  public var addressLines: [String]?
  /// The first address's city.
  public var city: String?
  /// The first address's state or province.
  public var state: String?
  /// The first address's postal code.
  public var postalCode: String?
  /// The first address's country.
  public var country: String?

  /// Changes nothing.
  public init() {}

  /// Checks what can be checked without the patient.
  ///
  /// - Throws: `invalidInput` when nothing would be changed, or for a birth date in the future.
  func validate(today: CalendarDay) throws(AppError) {
    if self == PatientChanges() {
      throw AppError(.invalidInput, "nothing to change was given", hint: "help patients edit")
    }
    if let birthDate, birthDate.lowerDay > today {
      throw AppError(.invalidInput, "the birth date \(birthDate) lies in the future", field: "birthDate")
    }
  }

  /// Makes the changes. An element that no change names stays exactly as it is.
  func apply(to patient: inout Patient) {
    applyName(to: &patient)
    if let birthDate { patient.birthDate = .value(birthDate) }
    if let gender { patient.gender = .known(gender) }
    if let phone {
      let shown = patient.telecom.preferredPhone
      set(phone, system: .phone, at: shown.flatMap { patient.telecom.firstIndex(of: $0) }, in: &patient.telecom)
    }
    if let email {
      let index = patient.telecom.firstIndex { $0.system == .known(.email) && $0.use != .known(.old) }
      set(email, system: .email, at: index, in: &patient.telecom)
    }
    applyAddress(to: &patient)
  }

  private func applyName(to patient: inout Patient) {
    guard family != nil || given != nil else { return }
    var index = patient.name.preferred.flatMap { patient.name.firstIndex(of: $0) }
    if index == nil {
      patient.name.append(HumanName(use: .known(.official)))
      index = patient.name.indices.last
    }
    guard let index else { return }
    if let family { patient.name[index].family = family.isEmpty ? nil : family }
    if let given { patient.name[index].given = given.filter { !$0.isEmpty } }
    if patient.name[index].text != nil {
      // The text is the whole name as it is shown: left alone, it would go on showing the old one.
      patient.name[index].text = nil
      patient.name[index].text = patient.name[index].spokenText
    }
  }

  private func set(_ value: String, system: ContactSystem, at index: Int?, in telecom: inout [ContactPoint]) {
    switch (index, value.isEmpty) {
    case (let index?, true): telecom.remove(at: index)
    case (let index?, false): telecom[index].value = value
    case (nil, false): telecom.append(ContactPoint(system: .known(system), value: value))
    case (nil, true): break
    }
  }

  private func applyAddress(to patient: inout Patient) {
    let parts = [city, state, postalCode, country]
    guard addressLines != nil || parts.contains(where: { $0 != nil }) else { return }
    var address = patient.address.first ?? Address()
    func value(_ new: String?, _ old: String?) -> String? { new.map { $0.isEmpty ? nil : $0 } ?? old }
    if let addressLines { address.line = addressLines.filter { !$0.isEmpty } }
    address.city = value(city, address.city)
    address.state = value(state, address.state)
    address.postalCode = value(postalCode, address.postalCode)
    address.country = value(country, address.country)
    if address.text != nil {
      address.text = nil
      address.text = address.displayText
    }
    if patient.address.isEmpty { patient.address = [address] } else { patient.address[0] = address }
  }

  /// The changes as labels and values, for the echo.
  var details: [WriteEcho.Detail] {
    let pairs: [(String, String?)] = [
      ("family", family), ("given", given?.joined(separator: " ")), ("new birth date", birthDate?.description),
      ("gender", gender?.rawValue), ("phone", phone), ("email", email),
      ("address", addressLines?.joined(separator: ", ")), ("city", city), ("state", state),
      ("postal code", postalCode), ("country", country),
    ]
    return pairs.compactMap { label, value in
      value.map { WriteEcho.Detail(label, $0.isEmpty ? "removed" : $0) }
    }
  }
}
