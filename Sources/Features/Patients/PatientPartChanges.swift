public import Domain

/// What changes in one of a patient's names.
public nonisolated struct NameChange: Hashable, Sendable {
  /// Which name is meant, which is added where there is none; the one that is shown if not given.
  public var use: NameUse?
  /// The family name.
  public var family: String?
  /// The given names.
  public var given: [String]?
  /// Since when the name is in use.
  public var from: PartialDate?
  /// Until when it was in use.
  public var until: PartialDate?

  /// Changes nothing.
  public init() {}

  func validate() throws(AppError) {
    if use != nil, family == nil, given == nil, from == nil, until == nil {
      throw AppError(
        .invalidInput, "--name-use says which name, and nothing of it is given", hint: "add --family or --given",
        field: "name-use")
    }
    try PeriodCheck.check(from, until, "name")
  }

  func apply(to names: inout [HumanName]) {
    guard self != NameChange() else { return }
    var index =
      use.map { use in names.firstIndex { $0.use == .known(use) } }
      ?? names.preferred.flatMap { names.firstIndex(of: $0) }
    if index == nil {
      names.append(HumanName(use: .known(use ?? .official)))
      index = names.indices.last
    }
    guard let index else { return }
    if let family { names[index].family = family.isEmpty ? nil : family }
    if let given { names[index].given = given.filter { !$0.isEmpty } }
    if names[index].text != nil, family != nil || given != nil {
      // The text is the whole name as it is shown: left alone, it would go on showing the old one.
      names[index].text = nil
      names[index].text = names[index].spokenText
    }
    if from != nil || until != nil {
      var period = names[index].period ?? Period()
      if let from { period.start = .date(from) }
      if let until { period.end = .date(until) }
      names[index].period = period
    }
    // A name of which nothing is left is taken away.
    if names[index].displayText == nil, names[index].absentReason == nil { names.remove(at: index) }
  }

  var details: [(String, String?)] {
    [
      ("name", use?.rawValue), ("family", family), ("given", given?.joined(separator: " ")),
      ("in use from", from?.description), ("in use until", until?.description),
    ]
  }
}

/// What changes in one of a patient's addresses.
public nonisolated struct AddressChange: Hashable, Sendable {
  /// Which address is meant, which is added where there is none; the first if not given.
  public var use: AddressUse?
  /// The lines.
  public var lines: [String]?
  /// The city.
  public var city: String?
  /// The district or county.
  public var district: String?
  /// The state or province.
  public var state: String?
  /// The postal code.
  public var postalCode: String?
  /// The country.
  public var country: String?
  /// Since when the address is in use.
  public var from: PartialDate?
  /// Until when it was in use.
  public var until: PartialDate?

  /// Changes nothing.
  public init() {}

  func validate() throws(AppError) {
    var rest = self
    rest.use = nil
    if use != nil, rest == AddressChange() {
      throw AppError(
        .invalidInput, "--address-use says which address, and nothing of it is given", hint: "add --address-line",
        field: "address-use")
    }
    try PeriodCheck.check(from, until, "address")
  }

  func apply(to addresses: inout [Address]) {
    guard self != AddressChange() else { return }
    let index = use.map { use in addresses.firstIndex { $0.use == .known(use) } } ?? addresses.indices.first
    var address = index.map { addresses[$0] } ?? Address(use: use.map(OpenCode.known))
    func value(_ new: String?, _ old: String?) -> String? { new.map { $0.isEmpty ? nil : $0 } ?? old }
    if let lines { address.line = lines.filter { !$0.isEmpty } }
    address.city = value(city, address.city)
    address.district = value(district, address.district)
    address.state = value(state, address.state)
    address.postalCode = value(postalCode, address.postalCode)
    address.country = value(country, address.country)
    if address.text != nil, [city, district, state, postalCode, country].contains(where: { $0 != nil }) || lines != nil
    {
      address.text = nil
      address.text = address.displayText
    }
    if from != nil || until != nil {
      var period = address.period ?? Period()
      if let from { period.start = .date(from) }
      if let until { period.end = .date(until) }
      address.period = period
    }
    let isEmpty = address.displayText == nil && address.absentReason == nil
    switch index {
    case let index? where isEmpty: addresses.remove(at: index)
    case let index?: addresses[index] = address
    case nil: if !isEmpty { addresses.append(address) }
    }
  }

  var details: [(String, String?)] {
    [
      ("address", use?.rawValue), ("street", lines?.joined(separator: ", ")), ("city", city), ("district", district),
      ("state", state), ("postal code", postalCode), ("country", country), ("lived there from", from?.description),
      ("lived there until", until?.description),
    ]
  }
}

/// Looks at the two ends of a time.
private nonisolated enum PeriodCheck {
  static func check(_ from: PartialDate?, _ until: PartialDate?, _ what: String) throws(AppError) {
    guard let from, let until, until.upperDay < from.lowerDay else { return }
    throw AppError(.invalidInput, "the \(what)'s time ends before it begins", field: "\(what)-until")
  }
}
