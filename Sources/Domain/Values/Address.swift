/// A postal or physical address (hl7.org/fhir/R4/datatypes.html#Address).
public struct Address: Hashable, Sendable {
  /// The purpose.
  public var use: OpenCode<AddressUse>?
  /// For visits or for post.
  public var type: OpenCode<AddressType>?
  /// The whole address as it should be shown.
  public var text: String?
  /// Street, number and the like, in order.
  public var line: [String]
  /// The city or village.
  public var city: String?
  /// The district or county.
  public var district: String?
  /// The state or province.
  public var state: String?
  /// The postal code.
  public var postalCode: String?
  /// The country.
  public var country: String?
  /// When it is or was in use.
  public var period: Period?
  /// Why the record gives no address here, when it says so; such an element holds nothing else to show.
  public var absentReason: OpenCode<DataAbsentReason>?

  /// Makes an address.
  public init(
    use: OpenCode<AddressUse>? = nil, type: OpenCode<AddressType>? = nil, text: String? = nil, line: [String] = [],
    city: String? = nil, district: String? = nil, state: String? = nil, postalCode: String? = nil,
    country: String? = nil, period: Period? = nil,
    absentReason: OpenCode<DataAbsentReason>? = nil
  ) {
    self.use = use
    self.type = type
    self.text = text
    self.line = line
    self.city = city
    self.district = district
    self.state = state
    self.postalCode = postalCode
    self.country = country
    self.period = period
    self.absentReason = absentReason
  }

  /// What to show on one line: the text, else the parts joined by commas; `nil` when empty.
  public var displayText: String? {
    if let text = text?.nonBlank { return text }
    let place = [postalCode, city].compactMap { $0?.nonBlank }.joined(separator: " ")
    let parts = line.map(Optional.some) + [place, district, state, country]
    return parts.compactMap { $0?.nonBlank }.joined(separator: ", ").nonBlank
  }
}
