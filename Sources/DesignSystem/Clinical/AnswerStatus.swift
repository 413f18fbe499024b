public import Domain

/// What stands below an answer: how old it is, what in it the server has not accepted yet, and what to do where something
/// is amiss.
public struct AnswerStatus: Hashable, Sendable {
  /// The age in words.
  public var text: String
  /// Why the server could not be asked, if it was asked in vain.
  public var failure: AppError?
  /// Local edits inside the answer that the server has not accepted yet.
  public var pendingWrites: Int
  /// How many of them wait for a person.
  public var writesInReview: Int
  /// Whether the store may hold only a part of the answer.
  public var mayBeIncomplete: Bool
  /// Whether the server says that the record was deleted.
  public var isDeleted: Bool
  /// What could not be understood.
  public var warnings: [String]
  private var line: FreshnessLine

  /// Takes over everything of a snapshot but its value.
  public init<Value>(_ snapshot: Snapshot<Value>, _ context: ClinicContext) {
    line = FreshnessLine(snapshot)
    text = line.text(zone: context.zone, now: context.clock.now())
    if case .failed(let error) = snapshot.revalidation { failure = error }
    pendingWrites = snapshot.pendingWrites
    writesInReview = snapshot.writesInReview
    mayBeIncomplete = snapshot.mayBeIncomplete
    isDeleted = snapshot.isDeleted
    warnings = snapshot.warnings
  }

  /// For people.
  public var blocks: [Block] {
    var blocks: [Block] = [.paragraph(text, role: line.mayMislead ? .warning : .muted)]
    if let next = failure?.hint { blocks.append(.notice(Notice(.info, "the server could not be asked", next: next))) }
    if writesInReview > 0 {
      blocks.append(.notice(Notice(.warning, "edits shown here need a decision", next: "review")))
    } else if mayBeIncomplete {
      blocks.append(.notice(Notice(.info, "the server may have more than is stored here", next: "sync")))
    }
    return blocks
  }

  /// For programs, as a line of its own behind those of the answer.
  public var record: Record { line.record }
}
