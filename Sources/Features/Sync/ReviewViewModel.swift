public import DesignSystem
public import Domain
public import Observation

/// What needs a person.
@Observable
public final class ReviewViewModel {
  /// All open items.
  public private(set) var list: LoadState<ReviewDisplay> = .idle
  /// What the last answer changed in the list.
  public private(set) var changes = ListChanges<ReviewNumber>()
  /// One item.
  public private(set) var item: LoadState<ReviewItemDisplay> = .idle
  /// What became of the last decision.
  public private(set) var decision: ActionState<ReviewOutcome> = .idle

  private let review: any ReviewRepository
  private let errors: any ErrorRouting
  private let context: ClinicContext

  /// Creates the model.
  public init(review: any ReviewRepository, errors: any ErrorRouting, context: ClinicContext) {
    self.review = review
    self.errors = errors
    self.context = context
  }

  /// Shows all open items, oldest first.
  public func load(reading: ReadMode) async {
    list = .loading
    var items: [ReviewItem] = []
    await review.reviewItems().listen(reading == .live ? .live : .local) { snapshot in
      changes = items.update(to: snapshot.value ?? [])
      list = .showing(ReviewDisplay(items: items, zone: context.zone))
    }
  }

  /// Shows one item with everything needed to decide.
  public func load(_ number: ReviewNumber) async {
    item = .loading
    do throws(AppError) {
      item = .showing(ReviewItemDisplay(item: try await review.reviewItem(number), zone: context.zone))
    } catch {
      errors.present(error)
      item = .failed(error)
    }
  }

  /// Settles an item.
  ///
  /// - Parameter confirmed: False refuses a decision by which an edit made here is lost, naming it.
  public func decide(_ number: ReviewNumber, _ choice: ReviewDecision, confirmed: Bool) async {
    decision = .working
    do throws(AppError) {
      if !confirmed, choice.losesTheEdit {
        let item = try await review.reviewItem(number)
        // What cannot be decided is not asked either.
        guard !choice.fits(item.kind) else {
          throw AppError(.needsConfirmation, Self.question(item), hint: "review show \(number)")
        }
      }
      decision = .done(try await review.decide(number, choice, confirmed: confirmed))
    } catch {
      errors.present(error)
      decision = .failed(error)
    }
  }
}

extension ReviewViewModel {
  /// What is asked before something made here is lost.
  fileprivate static func question(_ item: ReviewItem) -> String {
    if item.kind == .massDisappearance {
      return "let \(item.subject) go here too? Edits made to them will need a decision each"
    }
    let falling = item.waiting.filter(\.falls).map { "\($0.number) (\($0.summary))" }
    return "give up what was written here (\(item.subject))? The server has not accepted it, and it will be lost"
      + (falling.isEmpty ? "" : ", with entry \(falling.joined(separator: ", "))")
  }
}

/// All open items, ready to be shown.
public nonisolated struct ReviewDisplay: Hashable, Sendable {
  /// Oldest first.
  public var items: [ReviewItem]
  /// The clinic's zone.
  public var zone: ClinicZone
}

/// One item, ready to be shown.
public nonisolated struct ReviewItemDisplay: Hashable, Sendable {
  /// The item.
  public var item: ReviewItem
  /// The clinic's zone.
  public var zone: ClinicZone

  /// The decisions that fit this kind of item, with what each does.
  public var choices: [ReviewChoice] { ReviewChoice.choices(for: item) }
}

extension ReviewDecision {
  /// Whether nothing of what was written here would be left.
  fileprivate nonisolated var losesTheEdit: Bool {
    switch self {
    case .discard, .keepTheirs: true
    // Whether something is left that was not in dispute is for the repository to say.
    case .keepMine, .retry, .amend, .fields: false
    }
  }
}
