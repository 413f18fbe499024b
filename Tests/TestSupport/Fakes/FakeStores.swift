public import Domain

/// A store that is cared for in memory.
public final class FakeStores: StoreMaintaining {
  /// The calls it knows.
  public enum Call: Hashable, Sendable {
    case backup(String, replaces: Bool)
    case check
    case restore(String, confirmed: Bool)
    case salvage(confirmed: Bool)
    case adopt(confirmed: Bool)
    case move(String)
    case prune(keepingOpened: Int, confirmed: Bool)
    case diagnose
  }

  /// Its calls.
  public let book: CallBook<Call>
  private let problems: [String]
  private let findings: [Finding]

  public init(problems: [String] = [], findings: [Finding] = [], expecting calls: Call...) {
    book = CallBook("the store", expecting: calls)
    self.problems = problems
    self.findings = findings
  }

  public func backup(to file: String, replaces: Bool) async throws(AppError) -> StoreCopy {
    book.take(.backup(file, replaces: replaces))
    return StoreCopy(file: file, size: 4_096, unsent: 1)
  }

  public func check() async throws(AppError) -> StoreCheck {
    book.take(.check)
    return StoreCheck(records: 3, entries: 1, problems: problems)
  }

  public func restore(from file: String, confirmed: Bool) async throws(AppError) -> StoreRestoration {
    book.take(.restore(file, confirmed: confirmed))
    guard confirmed else { throw AppError(.needsConfirmation, "put \(file) in the place of the store?") }
    return StoreRestoration(setAside: "set-aside.sqlite", unsent: 1)
  }

  public func salvage(confirmed: Bool) async throws(AppError) -> StoreSalvage {
    book.take(.salvage(confirmed: confirmed))
    guard confirmed else { throw AppError(.needsConfirmation, "set the damaged store aside?") }
    return StoreSalvage(
      setAside: "set-aside.sqlite", entries: 2, doubtful: 1, records: 3, lost: [7], torn: ["outbox"])
  }

  public func adopt(confirmed: Bool) async throws(AppError) {
    book.take(.adopt(confirmed: confirmed))
    guard confirmed else { throw AppError(.needsConfirmation, "let this machine send?") }
  }

  public func move(to directory: String) async throws(AppError) -> StoreMove {
    book.take(.move(directory))
    return StoreMove(directory: directory, unsent: 1)
  }

  public func prune(keepingOpened count: Int, confirmed: Bool) async throws(AppError) -> StorePruning {
    book.take(.prune(keepingOpened: count, confirmed: confirmed))
    guard confirmed else { throw AppError(.needsConfirmation, "drop 2 of 3 records?") }
    return StorePruning(dropped: [StorePruning.TypeCount(type: "Observation", count: 2)], kept: 1)
  }

  public func diagnose() async -> [Finding] {
    book.take(.diagnose)
    return findings
  }
}
