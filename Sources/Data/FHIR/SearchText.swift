package import Domain

/// The words by which a record is found, and the words of a question.
package enum SearchText {
  /// The version of the words: who stores them stores this beside them, and makes them anew when it changes.
  package static let version = "\(TextFolding.version).2"

  /// All words by which a patient is found, each once, in a fixed order: names (former ones too), identifiers with and
  /// without their separators, phone numbers and e-mail addresses, the digits of the birth date.
  package static func terms(for patient: Patient) -> [String] {
    var terms = names(patient.name)
    terms += identifiers(patient.identifier)
    terms += patient.telecom.flatMap(contact)
    if let birthDate = patient.birthDate.value { terms.append(BirthDateText.digits(birthDate)) }
    return unique(terms)
  }

  /// All words by which a practitioner is found.
  package static func terms(for practitioner: Practitioner) -> [String] {
    unique(names(practitioner.name) + identifiers(practitioner.identifier))
  }

  /// All words by which a place is found.
  package static func terms(for location: Location) -> [String] {
    let texts = [location.name, location.description].compactMap(\.self) + location.alias
    return unique(texts.flatMap(TextFolding.indexTokens) + identifiers(location.identifier))
  }

  /// The words of a question, each to be found as the beginning of a word. Empty when it holds none: then nothing matches.
  ///
  /// Nothing in it is an operator. A number typed with gaps (`555 0103`) gives its groups, as it is indexed too.
  package static func queryTerms(_ text: String) -> [String] {
    unique(TextFolding.tokens(text))
  }

  /// The words of names.
  static func names(_ names: [HumanName]) -> [String] {
    names.flatMap { name in
      let parts = [name.family, name.text].compactMap(\.self) + name.given + name.prefix + name.suffix
      return parts.flatMap(TextFolding.indexTokens)
    }
  }

  /// The words of identifiers.
  static func identifiers(_ identifiers: [Identifier]) -> [String] {
    identifiers.compactMap(\.value).flatMap { value in
      let tokens = TextFolding.indexTokens(value)
      // Also from each of its groups on: the letters in front of a number are often left out.
      return tokens + tokens.indices.dropLast().map { tokens[$0...].joined() }
    }
  }

  /// The words of a way to reach someone.
  static func contact(_ point: ContactPoint) -> [String] {
    guard let value = point.value else { return [] }
    let tokens = TextFolding.indexTokens(value)
    switch point.system?.known {
    case .phone, .sms, .fax: return tokens + numbers(tokens)
    default: return tokens
    }
  }

  /// A number's digits in one piece, with and without each of its first groups: country and area codes are often left out.
  private static func numbers(_ tokens: [String]) -> [String] {
    let groups = tokens.map { $0.filter(\.isNumber) }.filter { !$0.isEmpty }
    return groups.indices.dropLast().map { groups[$0...].joined() }
  }

  private static func unique(_ terms: [String]) -> [String] {
    var seen: Set<String> = []
    return terms.filter { seen.insert($0).inserted }
  }
}
