/// Care for the local store: copies of it, whether it is sound, and what an operator should know.
public protocol StoreMaintaining: Sendable {
  /// Writes a copy of the store, of one moment, while the program and others go on.
  ///
  /// - Parameter replaces: whether a file that is there is replaced.
  /// - Throws: `needsConfirmation` for a file that is there; `fileUnreadable`; store errors.
  func backup(to file: String, replaces: Bool) async throws(AppError) -> StoreCopy

  /// Checks the file, and that every record is what the server's document and the local edits make of it. Reads it all.
  ///
  /// - Throws: store errors, when the store cannot even be read.
  func check() async throws(AppError) -> StoreCheck

  /// Puts a copy in the place of the store, which is set aside and never deleted.
  ///
  /// - Parameter confirmed: False refuses, telling what would be done.
  /// - Throws: `needsConfirmation`; `fileUnreadable` or `storeCorrupt` for a file that is no sound store, `storeNewer` for
  ///   one of a later version, `syncRunning` and `storeUnavailable` while others use the store. Nothing is changed then.
  func restore(from file: String, confirmed: Bool) async throws(AppError) -> StoreRestoration

  /// Sets a damaged store aside, which is never deleted, and goes on with what can be read of it: the outbox first.
  ///
  /// Entries of which it is not certain whether the server has them are put to a person.
  ///
  /// - Parameter confirmed: False refuses, telling what would be done.
  /// - Throws: `notAllowed` for a sound store; `needsConfirmation`; `syncRunning` and `storeUnavailable` while others use
  ///   the store. Nothing is changed then.
  func salvage(confirmed: Bool) async throws(AppError) -> StoreSalvage

  /// Lets a store that was copied from another machine or folder, or that is pointed at another server, send what it holds.
  ///
  /// - Parameter confirmed: False refuses, telling what is risked.
  /// - Throws: `notAllowed` when it is this machine's and this server's already; `needsConfirmation`; store errors.
  func adopt(confirmed: Bool) async throws(AppError)

  /// Moves the store into another folder, which has none. What stays behind names the new place.
  ///
  /// - Throws: `invalidInput` for a folder that has a store; `syncRunning` and `storeUnavailable` while others use the
  ///   store; `storeUnavailable` or `storeFull` for a folder that cannot be written. Nothing is changed then.
  func move(to directory: String) async throws(AppError) -> StoreMove

  /// Drops what left the clinic's scopes: it stays at the server. Never what is unsent, needs a decision, or is referred
  /// to by what is kept.
  ///
  /// - Parameters:
  ///   - count: how many of the patients last opened are kept, with their charts.
  ///   - confirmed: False refuses, telling how much would be dropped.
  /// - Throws: `needsConfirmation`; `syncRunning`; store errors.
  func prune(keepingOpened count: Int, confirmed: Bool) async throws(AppError) -> StorePruning

  /// Looks at everything that keeps the program working.
  func diagnose() async -> [Finding]
}

/// A copy of a store.
public struct StoreCopy: Hashable, Sendable {
  /// The file.
  public var file: String
  /// Its size in bytes.
  public var size: Int
  /// Entries in it that the server has not accepted yet.
  public var unsent: Int

  /// Creates a description.
  public init(file: String, size: Int, unsent: Int) {
    self.file = file
    self.size = size
    self.unsent = unsent
  }
}

/// What a check of the store found.
public struct StoreCheck: Hashable, Sendable {
  /// How many records were looked at.
  public var records: Int
  /// How many entries of the outbox.
  public var entries: Int
  /// What is wrong, without any patient's data; empty for a sound store.
  public var problems: [String]

  /// Creates a result.
  public init(records: Int, entries: Int, problems: [String]) {
    self.records = records
    self.entries = entries
    self.problems = problems
  }
}

/// What a restoration did.
public struct StoreRestoration: Hashable, Sendable {
  /// Where the former store is; `nil` when there was none.
  public var setAside: String?
  /// Entries of the restored store that the server has not accepted yet, as far as it knows.
  public var unsent: Int
  /// Whether it was another machine's, or another folder's, and so sends nothing before it is adopted.
  public var isFromElsewhere: Bool

  /// Creates a description.
  public init(setAside: String?, unsent: Int, isFromElsewhere: Bool = false) {
    self.setAside = setAside
    self.unsent = unsent
    self.isFromElsewhere = isFromElsewhere
  }
}

/// A store that was moved.
public struct StoreMove: Hashable, Sendable {
  /// The folder that it is in now.
  public var directory: String
  /// Entries in it that the server has not accepted yet.
  public var unsent: Int

  /// Creates a description.
  public init(directory: String, unsent: Int) {
    self.directory = directory
    self.unsent = unsent
  }
}

/// What was dropped from a store.
public struct StorePruning: Hashable, Sendable {
  /// How many records of one type.
  public struct TypeCount: Hashable, Sendable {
    /// The FHIR resource type.
    public var type: String
    /// How many.
    public var count: Int

    /// Creates a count.
    public init(type: String, count: Int) {
      self.type = type
      self.count = count
    }
  }

  /// What was dropped, by type.
  public var dropped: [TypeCount]
  /// How many records are left.
  public var kept: Int

  /// How many records were dropped.
  public var count: Int { dropped.reduce(0) { $0 + $1.count } }

  /// Creates a description.
  public init(dropped: [TypeCount], kept: Int) {
    self.dropped = dropped
    self.kept = kept
  }
}

/// What was saved of a damaged store.
public struct StoreSalvage: Hashable, Sendable {
  /// Where the damaged store is; `nil` when there was no file any more.
  public var setAside: String?
  /// Entries of the outbox that were saved.
  public var entries: Int
  /// How many of them are put to a person, since the server may have them already.
  public var doubtful: Int
  /// Records that can be read until the next sync brings the server's.
  public var records: Int
  /// Entries that are known to have been written, and are lost.
  public var lost: [OutboxNumber]
  /// The tables that could not be read to their end.
  public var torn: [String]

  /// Creates a description.
  public init(
    setAside: String?, entries: Int, doubtful: Int, records: Int, lost: [OutboxNumber], torn: [String]
  ) {
    self.setAside = setAside
    self.entries = entries
    self.doubtful = doubtful
    self.records = records
    self.lost = lost
    self.torn = torn
  }
}

/// One thing that was looked at, and how it is.
public struct Finding: Hashable, Sendable {
  /// How a thing is.
  public enum Verdict: String, Hashable, Sendable, CaseIterable {
    /// As it should be.
    case ok
    /// Works, and somebody should look at it.
    case attention
    /// Does not work.
    case fault
  }

  /// What was looked at.
  public var subject: String
  /// How it is.
  public var verdict: Verdict
  /// What was found, without any patient's data.
  public var text: String
  /// What to do; `nil` when there is nothing to do.
  public var next: String?
  /// The kind of failure, for a fault.
  public var code: AppError.Code?

  /// Creates a finding.
  public init(
    _ subject: String, _ verdict: Verdict, _ text: String, next: String? = nil, code: AppError.Code? = nil
  ) {
    self.subject = subject
    self.verdict = verdict
    self.text = text
    self.next = next
    self.code = code
  }
}
