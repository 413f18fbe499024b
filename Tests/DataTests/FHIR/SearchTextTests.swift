import Domain
import Testing

@testable import Data

@Suite("Search text")
struct SearchTextTests {
  @Test(
    "Spellings that people take as the same fold to the same words",
    arguments: [
      ("Червоненко", "ЧЕРВОНЕНКО"), ("åkerlind", "ÅKERLIND"), ("Örjan", "o\u{308}RJAN"), ("ΕΛΕΥΘΕΡΊΟΥ", "Ελευθερίου"),
      ("Ζωής", "ΖΩΗΣ"), ("Łukasz", "lukasz"), ("Sørensen", "SORENSEN"), ("Đorđe", "djordje".replacing("dj", with: "d")),
      ("Weiß", "WEISS"), ("Æsir", "aesir"), ("Œuvre", "oeuvre"), ("ﬁscher", "Fischer"), ("ＡＢＣ１２", "abc12"),
      ("İpek", "ipek"), ("Işık", "isik"), ("Nguyễn", "nguyen"), ("Þór", "thor"), ("Семён", "семен"),
      ("Сергей", "СЕРГЕИ"),
      ("أحمد", "احمد"), ("مُحَمَّد", "محمد"), ("שָׁלוֹם", "שלום"), ("김", "\u{1100}\u{1175}\u{11B7}"), ("O’Brien", "O'brien"),
      ("O`Brien", "OBRIEN"), ("O´Brien", "obrien"), ("٠١٢", "012"), ("Jean‐Luc", "jean luc"), ("a\u{00AD}b", "ab"),
    ])
  func folds(left: String, right: String) {
    #expect(TextFolding.tokens(left) == TextFolding.tokens(right))
    #expect(TextFolding.tokens(left) != [])
  }

  @Test("Plain letters fold by the short way to what the long way gives")
  func foldsASCII() {
    for byte in UInt8.min..<0x80 {
      let text = "\(Character(Unicode.Scalar(byte)))Ab\(Character(Unicode.Scalar(byte)))0Z"
      for splits in [false, true] {
        let long = TextFolding.foldUnicode(text, splitsAtApostrophes: splits)
        #expect(TextFolding.fold(text, splitsAtApostrophes: splits) == long, "\(byte)")
      }
    }
  }

  @Test(
    "Letters of different scripts or names stay apart",
    arguments: [
      ("Сава", "Cава"), ("Chervon", "Червон"), ("ΑΒ", "AB"), ("か", "が"), ("Near", "Neir"), ("हिन्दी", "हन्द"),
    ])
  func keepsApart(left: String, right: String) {
    #expect(TextFolding.tokens(left) != TextFolding.tokens(right))
  }

  @Test(
    "Words end at white space, punctuation and control characters; apostrophes join; ideographs stand alone",
    arguments: [
      ("O'Neil-Parke", ["oneil", "parke"]), ("before\u{0}after", ["before", "after"]), ("\"\"", []), (") ^@@@", []),
      ("", []), ("NEAR(", ["near"]), ("family:Near*", ["family", "near"]), ("山田太郎", ["山", "田", "太", "郎"]), ("'", []),
      ("MRN-0909", ["mrn", "0909"]),
    ])
  func splits(text: String, words: [String]) {
    #expect(TextFolding.tokens(text) == words)
  }

  @Test(
    "A patient is found by the words of each question, and only the right one",
    arguments: [
      ("червоненко", ["p-11a"]), ("ЧЕРВОНЕНКО", ["p-11a"]), ("світ", ["p-11a"]), ("åkerlind", ["p-11b"]),
      ("örjan", ["p-11b"]), ("ΕΛΕΥΘΕΡΊΟΥ", ["p-11c"]), ("O'Neil-Parke", ["p-13a"]), ("neil-p", ["p-13a"]),
      ("\"", []), ("\"\"", []), ("OR", ["p-11b", "p-13b"]), ("And Or", ["p-13b"]), ("NEAR(", ["p-13c"]),
      ("Near*", ["p-13c"]),
      ("family:Near", []), ("-Near", ["p-13c"]), ("^Or", ["p-11b", "p-13b"]), (")", []), ("x AND", []), ("@@@", []),
      ("MRN-0909", ["p-09a"]), ("mrn0909", ["p-09a"]), ("Foundling", ["p-09c"]), ("Solo", ["p-09d"]),
      ("5550103", ["p-09a"]), ("+00 555 0103", ["p-09a"]), ("maid", ["p-09d"]),
    ])
  func finds(question: String, ids: [String]) {
    let words = SearchText.queryTerms(question)
    let found = Self.patients.filter { patient in
      let terms = SearchText.terms(for: patient)
      return !words.isEmpty && words.allSatisfy { word in terms.contains { $0.hasPrefix(word) } }
    }
    #expect(found.map(\.id.rawValue) == ids)
  }

  @Test("Sorting does not put lower case after upper case")
  func sorts() {
    let names = ["Zoe", "ålund", "adam", "Ödman", "Berg"]
    let sorted = names.sorted { TextFolding.sortKey($0) < TextFolding.sortKey($1) }
    #expect(sorted == ["adam", "ålund", "Berg", "Ödman", "Zoe"])
  }

  private static let patients = [
    person("p-11a", "Червоненко", "Світлана"), person("p-11b", "ÅKERLIND", "Örjan"),
    person("p-11c", "Ελευθερίου", "Ζωή"), person("p-11d", "Chervon", "Sava"), person("p-13a", "O'Neil-Parke", "Bo"),
    person("p-13b", "Or", "And"), person("p-13c", "Near", "Not"), person("p-13d", "Quill", "\"Q\""),
    Patient(
      id: "p-09a", identifier: [Identifier(system: "urn:test:mrn", value: "MRN-0909")],
      telecom: [ContactPoint(system: .known(.phone), value: "+00 555 0103")]),
    Patient(id: "p-09c", name: [HumanName(text: "Foundling, ward 3")]),
    Patient(id: "p-09d", name: [HumanName(family: "Solo"), HumanName(use: .known(.maiden), family: "Maiden")]),
  ]

  private static func person(_ id: String, _ family: String, _ given: String) -> Patient {
    Patient(id: Patient.ID(id), name: [HumanName(family: family, given: [given])])
  }
}
