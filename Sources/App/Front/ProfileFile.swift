import Domain
import Foundation

/// The members of a profile's file, read strictly: what is unknown or of the wrong kind is an error that names it.
nonisolated struct ProfileFile {
  /// A value in a profile.
  enum Value: Decodable, Hashable, Sendable {
    case text(String)
    case number(Int)
    case list([String])
    case object([String: Value])

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let text = try? container.decode(String.self) {
        self = .text(text)
      } else if let number = try? container.decode(Int.self) {
        self = .number(number)
      } else if let list = try? container.decode([String].self) {
        self = .list(list)
      } else {
        self = .object(try container.decode([String: Value].self))
      }
    }
  }

  /// Where the members stand, for messages: the file, and the path within it.
  let place: String
  private var members: [String: Value]

  /// - Throws: `invalidInput` for what is no JSON object of texts, numbers, lists of texts and such objects.
  init(_ data: Foundation.Data, path: String) throws(AppError) {
    guard let members = try? JSONDecoder().decode([String: Value].self, from: data) else {
      throw AppError(
        .invalidInput, "\(path) is no JSON object of texts, whole numbers, and lists of texts",
        hint: #"write it as {"server": "https://host/fhir"}"#)
    }
    self.init(members, place: path)
  }

  private init(_ members: [String: Value], place: String) {
    self.members = members
    self.place = place
  }

  /// The names of all members, sorted.
  var names: [String] { members.keys.sorted() }

  func refuseUnknown(_ known: [String]) throws(AppError) {
    guard let unknown = names.first(where: { !known.contains($0) }) else { return }
    throw AppError(
      .invalidInput, "\(place) has an unknown key \"\(unknown)\"",
      hint: "known are \(known.sorted().joined(separator: ", "))")
  }

  func text(_ name: String) throws(AppError) -> String? {
    switch members[name] {
    case nil: return nil
    case .text(let text): return text
    case .number(let number): return String(number)
    case .list, .object: throw wrong(name, "a text")
    }
  }

  /// A list of texts; one text stands for a list of one.
  func list(_ name: String) throws(AppError) -> [String] {
    switch members[name] {
    case nil: return []
    case .text(let text): return [text]
    case .list(let texts): return texts
    case .number, .object: throw wrong(name, "a list of texts")
    }
  }

  func number(_ name: String, in range: ClosedRange<Int>) throws(AppError) -> Int? {
    guard let text = try text(name) else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw wrong(name, "a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// A length of time in seconds: `90s`, `15m`, `24h`, `7d`.
  func seconds(_ name: String) throws(AppError) -> Int64? {
    guard let text = try text(name) else { return nil }
    let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400]
    guard let unit = text.last.flatMap({ units[$0] }), let number = Int64(text.dropLast()),
      (0...1_000_000).contains(number)
    else { throw wrong(name, "a length of time such as 90s, 15m, 24h or 7d") }
    return number * unit
  }

  func object(_ name: String) throws(AppError) -> ProfileFile? {
    switch members[name] {
    case nil: return nil
    case .object(let members): return ProfileFile(members, place: "\"\(name)\" in \(place)")
    case .text, .number, .list: throw wrong(name, "an object")
    }
  }

  private func wrong(_ name: String, _ expected: String) -> AppError {
    AppError(.invalidInput, "\"\(name)\" in \(place) is not \(expected)", field: name)
  }
}
