import DesignSystem
import Domain

/// The lines of the review list.
nonisolated extension SyncCommands {
  @MainActor
  static func review(_ feature: SyncFeature) -> [Command] {
    [
      Command(reviewSpec) { invocation throws(AppError) in
        let choice = try decision(invocation)
        guard invocation.optionalText("item") != nil else {
          guard choice == nil else {
            throw AppError(.invalidInput, "a decision needs the number of its item", hint: "review", field: "item")
          }
          let page = try await feature.page(at: .review, reading: feature.context.reading(for: invocation))
          feature.coordinator.showReview()
          return page
        }
        let number = try number("item", invocation)
        guard let choice else { return try await show(number, feature, invocation) }
        let model = feature.reviewModel
        await model.decide(number, choice, confirmed: invocation.confirmed)
        return try model.decision.page { ReviewScreen.page($0, number: number) }
      },
      Command(reviewShowSpec) { invocation throws(AppError) in
        try await show(try number("item", invocation), feature, invocation)
      },
    ]
  }

  @MainActor
  private static func show(
    _ number: ReviewNumber, _ feature: SyncFeature, _ invocation: Invocation
  ) async throws(AppError) -> Page {
    let page = try await feature.page(at: .reviewItem(number), reading: feature.context.reading(for: invocation))
    feature.coordinator.showReviewItem(number)
    return page
  }

  static let reviewSpec = CommandSpec(
    path: ["review"], summary: "list what needs a decision, or decide",
    arguments: [ArgumentSpec("item", .integer, .optional, summary: "the number of an item")],
    options: [
      OptionSpec("keep", .choice(["mine", "theirs"]), summary: "which values stand in a conflict"),
      OptionSpec(
        "field", .text, repeats: true, placeholder: "PATH=mine|theirs", summary: "which value of one element stands"),
      OptionSpec(
        "amend", .text, repeats: true, placeholder: "PATH=VALUE", summary: "correct an element of a refused write"),
    ],
    flags: [
      FlagSpec("retry", summary: "send the same again"), FlagSpec("discard", summary: "give the write up"),
    ],
    examples: [
      "review", "review 3 --keep mine", "review 3 --keep theirs --yes", "review 3 --retry",
      "review 3 --field birthDate=mine --field gender=theirs", "review 4 --amend birthDate=1980-05-17",
    ], effects: .write,
    discussion: [
      "\"help decisions\" tells what fits which kind of item. A decision by which an edit made here is lost asks first; "
        + "--yes is the answer in scripts.",
      "An element is named by its path or by what it is called (\"phone\" is enough where there is one), as \"review show\" prints them. With --field every element "
        + "in dispute has to be decided. A decision is refused when the record was changed at the server since the item "
        + "was shown, and is checked again when it is sent.",
    ])

  static let reviewShowSpec = CommandSpec(
    path: ["review", "show"], summary: "show one item with everything needed to decide",
    arguments: [ArgumentSpec("item", .integer, summary: "the number of the item")], examples: ["review show 3"])

  private static func decision(_ invocation: Invocation) throws(AppError) -> ReviewDecision? {
    var choices: [ReviewDecision] = []
    if let keep = invocation.option("keep") { choices.append(keep == "mine" ? .keepMine : .keepTheirs) }
    if invocation.flag("retry") { choices.append(.retry) }
    if invocation.flag("discard") { choices.append(.discard) }
    var fields: [ReviewDecision.FieldChoice] = []
    for text in invocation.all("field") {
      let (element, value) = try pair(text, option: "field")
      guard let side = ReviewDecision.Side(rawValue: value.lowercased()) else {
        throw AppError(.invalidInput, "\"\(value)\" is neither mine nor theirs", field: "field")
      }
      fields.append(ReviewDecision.FieldChoice(element, side))
    }
    if !fields.isEmpty { choices.append(.fields(fields)) }
    var amendments: [ReviewDecision.Amendment] = []
    for text in invocation.all("amend") {
      let (element, value) = try pair(text, option: "amend")
      amendments.append(ReviewDecision.Amendment(element, value))
    }
    if !amendments.isEmpty { choices.append(.amend(amendments)) }
    guard choices.count <= 1 else {
      throw AppError(.invalidInput, "--keep, --field, --amend, --retry and --discard exclude each other")
    }
    return choices.first
  }

  /// The two sides of `PATH=VALUE`. An equals sign inside brackets belongs to the path.
  private static func pair(_ text: String, option: String) throws(AppError) -> (String, String) {
    var depth = 0
    for index in text.indices {
      switch text[index] {
      case "[": depth += 1
      case "]": depth -= 1
      case "=" where depth <= 0 && index > text.startIndex:
        return (String(text[..<index]), String(text[text.index(after: index)...]))
      default: break
      }
    }
    throw AppError(
      .invalidInput, "\"\(text)\" does not say which element becomes what",
      hint: option == "field" ? "write PATH=mine or PATH=theirs" : "write PATH=VALUE", field: option)
  }
}
