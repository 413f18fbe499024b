public import Domain
import Synchronization

/// An outbox and a review list in memory.
public final class FakeOutbox: OutboxRepository, ReviewRepository {
  /// The calls it knows.
  public enum Call: Hashable, Sendable {
    case list
    case item(OutboxNumber)
    case discard(OutboxNumber, confirmed: Bool)
    case export(String, replaces: Bool)
    case explain(ResourceKey)
    case reviewList
    case reviewItem(ReviewNumber)
    case decide(ReviewNumber, ReviewDecision, confirmed: Bool)
  }

  /// Its calls.
  public let book: CallBook<Call>
  private let items: [OutboxItemDetail]
  private let reviews: [ReviewItem]
  private let explanations: [ResourceKey: RecordExplanation]
  private let discardFailure: AppError?

  public init(
    items: [OutboxItemDetail] = [], reviews: [ReviewItem] = [], explanations: [RecordExplanation] = [],
    discardFailure: AppError? = nil, expecting calls: Call...
  ) {
    book = CallBook("the outbox", expecting: calls)
    self.items = items
    self.reviews = reviews
    self.explanations = Dictionary(explanations.map { ($0.key, $0) }) { _, last in last }
    self.discardFailure = discardFailure
  }

  public func outbox() -> Snapshots<[OutboxItem]> {
    book.take(.list)
    return Snapshots([Snapshot(value: items.map(\.item), freshness: .missing)])
  }

  public func outboxItem(_ number: OutboxNumber) async throws(AppError) -> OutboxItemDetail {
    book.take(.item(number))
    guard let item = items.first(where: { $0.item.number == number }) else {
      throw AppError(.notFound, "the outbox has no entry \(number)")
    }
    return item
  }

  public func discard(_ number: OutboxNumber, confirmed: Bool) async throws(AppError) -> [OutboxItem] {
    book.take(.discard(number, confirmed: confirmed))
    if let discardFailure { throw discardFailure }
    return items.map(\.item).filter { $0.number == number }
  }

  public func export(to file: String, replaces: Bool) async throws(AppError) -> OutboxExport {
    book.take(.export(file, replaces: replaces))
    return OutboxExport(file: file, records: items.count, entries: items.count, inReview: 0, ambiguous: 0)
  }

  public func explain(_ key: ResourceKey) async throws(AppError) -> RecordExplanation {
    book.take(.explain(key))
    guard let explanation = explanations[key] else { throw AppError(.notFound, "\(key) is not known here") }
    return explanation
  }

  public func reviewItems() -> Snapshots<[ReviewItem]> {
    book.take(.reviewList)
    return Snapshots([Snapshot(value: reviews, freshness: .missing)])
  }

  public func reviewItem(_ number: ReviewNumber) async throws(AppError) -> ReviewItem {
    book.take(.reviewItem(number))
    guard let item = reviews.first(where: { $0.number == number }) else {
      throw AppError(.notFound, "there is no review item \(number)")
    }
    return item
  }

  public func decide(
    _ number: ReviewNumber, _ decision: ReviewDecision, confirmed: Bool
  ) async throws(AppError) -> ReviewOutcome {
    book.take(.decide(number, decision, confirmed: confirmed))
    return ReviewOutcome(summary: "item \(number) is settled")
  }
}
