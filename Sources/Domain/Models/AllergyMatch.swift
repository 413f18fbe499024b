import Foundation

/// A recorded allergy that names what a medication names.
///
/// It compares recorded codes and recorded words and nothing else: it knows no ingredients, no classes of substances and no
/// interactions. That penicillins are related is nothing that it can tell.
public struct AllergyMatch: Hashable, Sendable {
  /// By what they match.
  public enum Basis: Hashable, Sendable {
    /// Both carry this code.
    case code(String)
    /// Both hold these words.
    case text(String)

    /// For people.
    public var text: String {
      switch self {
      case .code(let code): "by the recorded code \(code)"
      case .text(let words): "by the recorded text \"\(words)\""
      }
    }
  }

  /// The allergy.
  public var allergy: AllergyIntolerance
  /// By what it matches.
  public var basis: Basis

  /// What must be said wherever matches are shown or found missing.
  public static let limits =
    "matching is by recorded code and text only; this is no check of interactions or of related substances"

  /// The allergies that match a medication, worst first. Refuted and withdrawn ones do not count, nor do statements that
  /// there is none.
  public static func all(
    in allergies: [AllergyIntolerance], for medication: CodeableConcept
  ) -> [AllergyMatch] {
    allergies
      .filter { ($0.standing == .current || $0.standing == .past) && $0.absence == nil }
      .sorted { $0.precedes($1) }
      .compactMap { AllergyMatch($0, medication) }
  }

  private init?(_ allergy: AllergyIntolerance, _ medication: CodeableConcept) {
    let concepts = [allergy.code].compactMap(\.self) + allergy.reaction.compactMap(\.substance)
    self.allergy = allergy
    for coding in concepts.flatMap(\.coding) {
      guard let system = coding.system, let code = coding.code else { continue }
      if medication.contains(system: system, code: code) {
        basis = .code(code)
        return
      }
    }
    let named = Self.texts(medication).map(Self.words)
    for text in concepts.flatMap(Self.texts) {
      let words = Self.words(text)
      guard !words.isEmpty else { continue }
      if named.contains(where: { Self.contains($0, words) || (!$0.isEmpty && Self.contains(words, $0)) }) {
        basis = .text(words.joined(separator: " "))
        return
      }
    }
    return nil
  }

  private static func texts(_ concept: CodeableConcept) -> [String] {
    ([concept.text] + concept.coding.map(\.display)).compactMap { $0?.nonBlank }
  }

  /// Words that say nothing of the substance.
  private static let idle: Set<String> = [
    "allergy", "allergic", "allergies", "intolerance", "hypersensitivity", "reaction", "to", "the", "of", "and", "or",
    "drug", "substance", "product", "tablet", "tablets", "capsule", "capsules", "oral", "mg", "ml", "mcg", "g",
  ]

  /// The words of a text that may name a substance: folded, without numbers and idle words, a plural as its singular.
  private static func words(_ text: String) -> [String] {
    let folded = text.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
    return folded.split { !$0.isLetter && !$0.isNumber }.map(String.init)
      .filter { $0.contains(where: \.isLetter) && $0.count > 1 && !idle.contains($0) && !($0.first?.isNumber ?? false) }
      .map { $0.count > 4 && $0.hasSuffix("s") ? String($0.dropLast()) : $0 }
  }

  /// Whether all of some words are among others.
  private static func contains(_ words: [String], _ part: [String]) -> Bool {
    part.allSatisfy(words.contains)
  }
}
