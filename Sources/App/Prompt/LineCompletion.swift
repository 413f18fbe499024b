import Data
import DesignSystem
import Domain
import Foundation

/// What the tab key does to a line.
nonisolated struct LineCompletion: Hashable, Sendable {
  /// Where the word begins that is completed, in Unicode scalars from the line's beginning.
  var start: Int
  /// What takes the word's place; `nil` when that is not clear.
  var insertion: String?
  /// What is shown above the line: the choices, or who it is that was meant.
  var notes: [String] = []

  var isEmpty: Bool { insertion == nil && notes.isEmpty }

  /// No more choices are shown at once.
  static let mostNotes = 20

  /// Decides between candidates: a single one is taken, several are shown, and what they have in common is taken.
  init(start: Int, prefix: String, candidates: [Completion.Candidate], tellsWho: Bool = false) {
    self.start = start
    if candidates.count == 1, let only = candidates.first {
      insertion = LineParser.quoted(only.word) + (only.word.hasSuffix("/") ? "" : " ")
      if tellsWho { notes = [Self.note(only, width: only.word.count)] }
      return
    }
    let common = Self.commonPrefix(candidates.map(\.word))
    if common.count > prefix.count, common.hasPrefix(prefix), LineParser.quoted(common) == common { insertion = common }
    let width = candidates.map { DisplayWidth.of(VisibleText.flat($0.word)) }.max() ?? 0
    notes = candidates.prefix(Self.mostNotes).map { Self.note($0, width: width) }
    if candidates.count > Self.mostNotes { notes.append("… and \(candidates.count - Self.mostNotes) more") }
  }

  private static func note(_ candidate: Completion.Candidate, width: Int) -> String {
    let word = VisibleText.flat(candidate.word)
    if candidate.summary.isEmpty { return word }
    let gap = String(repeating: " ", count: max(0, width - DisplayWidth.of(word)) + 2)
    return word + gap + VisibleText.flat(candidate.summary)
  }

  private static func commonPrefix(_ words: [String]) -> String {
    guard let first = words.first else { return "" }
    return words.dropFirst().reduce(first) { common, word in common.commonPrefix(with: word) }
  }
}

/// Completes lines from the command table, from the patients known here, and from the files of this machine.
nonisolated struct LineCompleter: Sendable {
  let table: CommandTable
  let patients: any PatientRepository
  let clock: WallClock
  let zone: ClinicZone

  /// What could follow the text before the cursor.
  func completion(of line: String) async -> LineCompletion {
    let completion = table.completion(for: line)
    var candidates = completion.candidates
    var tellsWho = false
    switch completion.kind {
    case .patient:
      let known = await named(completion.prefix)
      candidates += known
      tellsWho = candidates.count == 1 && known.count == 1
    case .file:
      candidates += Self.files(completion.prefix)
    default: break
    }
    return LineCompletion(
      start: completion.start, prefix: completion.prefix, candidates: candidates, tellsWho: tellsWho)
  }

  /// The patients of that name, by what a line may call them.
  private func named(_ text: String) async -> [Completion.Candidate] {
    let limit = LineCompletion.mostNotes + 1
    let found: [Patient]
    if text.isEmpty {
      found = await patients.recentPatients(limit: limit).first()?.value ?? []
    } else {
      let query = PatientQuery(text: text, limit: limit)
      found = await patients.patients(matching: query, policy: .localOnly).first()?.value?.map(\.patient) ?? []
    }
    let today = zone.local(clock.now()).day
    let words = found.map(Self.word)
    return zip(found, words).map { patient, word in
      // A number that several bear names none of them.
      let isUnique = words.count(where: { $0 == word }) == 1
      return Completion.Candidate(
        isUnique ? word : patient.id.key.description, summary: PatientIdentity(patient, today: today).text)
    }
  }

  private static func word(for patient: Patient) -> String {
    guard let value = patient.identifier.preferred?.value, !value.isEmpty,
      RecordReference.rowNumber(in: value) == nil, !value.hasPrefix("-")
    else { return patient.id.key.description }
    return value
  }

  private static func files(_ prefix: String) -> [Completion.Candidate] {
    let folder = prefix.hasSuffix("/") ? prefix : FilePath.folder(of: prefix)
    let beginning = prefix.hasSuffix("/") ? "" : FilePath.name(of: prefix)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)) ?? []
    return names.filter { $0.hasPrefix(beginning) && ($0.hasPrefix(".") == beginning.hasPrefix(".")) }.sorted().map {
      let whole = folder.isEmpty ? $0 : folder.hasSuffix("/") ? folder + $0 : "\(folder)/\($0)"
      var isFolder: ObjCBool = false
      _ = FileManager.default.fileExists(atPath: whole, isDirectory: &isFolder)
      return Completion.Candidate(whole + (isFolder.boolValue ? "/" : ""))
    }
  }
}
