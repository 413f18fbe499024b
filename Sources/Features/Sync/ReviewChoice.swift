import Domain

/// A line that settles a review item, and what it does.
public nonisolated struct ReviewChoice: Hashable, Sendable {
  /// The line as one types it.
  public var line: String
  /// What it does, for people.
  public var effect: String

  /// The decisions that fit an item.
  static func choices(for item: ReviewItem) -> [ReviewChoice] {
    let line = "review \(item.number)"
    let entry = item.entry.map { "entry \($0)" } ?? "the write"
    switch item.kind {
    case .conflict:
      let version = item.serverVersion.map { " (version \($0))" } ?? ""
      return [
        ReviewChoice(
          line: "\(line) --keep mine",
          effect: "the next sync writes your values over the server's\(version), unless it is changed there again first"
        ),
        ReviewChoice(
          line: "\(line) --keep theirs", effect: "the server's values stay; \(entry) is given up" + falling(item)),
      ] + fields(item, line) + [discard(item, line, entry)]
    case .deletedRemotely:
      return [
        ReviewChoice(
          line: "\(line) --keep mine", effect: "the next sync makes the record anew, as it is shown here"),
        ReviewChoice(
          line: "\(line) --keep theirs", effect: "the record stays deleted; \(entry) is given up" + falling(item)),
        discard(item, line, entry),
      ]
    case .refusal, .halfApplied:
      return amending(item, line) + [
        ReviewChoice(
          line: "\(line) --retry", effect: "sends \(entry) again as it is; for when the server has been put right"),
        discard(item, line, entry),
      ]
    case .doubleMatch:
      return [
        ReviewChoice(
          line: "\(line) --retry",
          effect: "looks again which record is ours; for when the duplicates were merged at the server"),
        discard(item, line, entry),
      ]
    case .unresolved:
      return [
        ReviewChoice(
          line: "\(line) --retry",
          effect: "looks for \(entry) at the server, and sends it again only if it is certainly not there"),
        discard(item, line, entry),
      ]
    case .massDisappearance:
      return [
        ReviewChoice(
          line: "\(line) --keep mine",
          effect: "the records stay here as they were last known; for when the server is wrong, or is another one"),
        ReviewChoice(line: "\(line) --keep theirs", effect: "the records count as deleted here too"),
      ]
    case .likelyDuplicate:
      return item.issues.compactMap { candidate in
        candidate.elements.first.map {
          ReviewChoice(
            line: "patients merge \(item.key) --into \($0)",
            effect: "gives the registration up, and puts all that hangs on it to \(candidate.text)")
        }
      } + [
        ReviewChoice(line: "\(line) --retry", effect: "sends the registration all the same: it is someone else"),
        discard(item, line, entry),
      ]
    }
  }

  private static func discard(_ item: ReviewItem, _ line: String, _ entry: String) -> ReviewChoice {
    var effect = "gives \(entry) up; what is shown here loses it" + falling(item)
    if item.kind == .halfApplied {
      let goesOn = item.waiting.filter { !$0.falls }.map { String($0.number) }
      effect += goesOn.isEmpty ? "" : "; entry \(goesOn.joined(separator: ", ")) goes on"
      effect += "; what the server has of the action stays"
    }
    return ReviewChoice(line: "\(line) --discard", effect: effect)
  }

  private static func falling(_ item: ReviewItem) -> String {
    let numbers = item.waiting.filter(\.falls).map { String($0.number) }
    return numbers.isEmpty ? "" : ", and entry \(numbers.joined(separator: ", ")) with it"
  }

  /// One element is decided by `--keep` as well.
  private static func fields(_ item: ReviewItem, _ line: String) -> [ReviewChoice] {
    guard item.elements.count > 1, item.elements.contains(where: { $0.mine != nil }) else { return [] }
    let options = item.elements.map { "--field \(quoted($0.path + "=mine"))" }
    return [
      ReviewChoice(
        line: "\(line) \(options.joined(separator: " "))",
        effect: "decides element by element: mine or theirs for each; what only makes sense together is decided once")
    ]
  }

  private static func amending(_ item: ReviewItem, _ line: String) -> [ReviewChoice] {
    let written = item.elements.map(\.path)
    // The element that the server names, where the write has it.
    let named = item.issues.flatMap(\.elements).map { String($0.dropFirst("\(item.key.type).".count)) }
    var choices = [
      ReviewChoice(
        line: "\(line) --amend \(named.first(where: written.contains) ?? "PATH")=VALUE",
        effect: "puts another value into the write, and sends it; an empty value removes the element")
    ]
    if item.key.type == Patient.resourceType {
      choices.append(
        ReviewChoice(
          line: "patients edit \(item.key.id) --…",
          effect:
            "an edit by \(item.author.displayName), who wrote it, corrects the write as well, and settles this item"))
    }
    return choices
  }

  /// Text that is one word to a shell and to the line parser.
  private static func quoted(_ text: String) -> String {
    text.allSatisfy { $0.isLetter || $0.isNumber || "=-._".contains($0) } ? text : "'\(text)'"
  }
}
