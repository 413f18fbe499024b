import Data
package import Domain

/// What simulated people wrote, saw and decided: the account that store and server are checked against.
///
/// Unchecked: everything in a world runs on the one thread that called ``SimScheduler/run(maximumJobs:until:)``.
package final class SimLedger: @unchecked Sendable {
  /// One value that somebody wrote at the client.
  package struct Write: Sendable {
    package var index: Int
    package var record: ResourceKey
    package var slot: SimSlot
    package var token: String
    package var process: String
    /// What the writer saw in its place.
    package var saw: String?
    /// What else of a list it replaced.
    package var alsoReplaced: [String] = []
    package var isAcknowledged = false
    /// Nothing was written: an error said so.
    package var failed = false
    package var isCreate = false
    package var entries: [OutboxNumber] = []
  }

  package private(set) var writes: [Write] = []
  /// Who signed in to a process, by its name.
  private var subjects: [String: String] = [:]
  private var byToken: [String: Int] = [:]
  /// Records that were made here, by their local key.
  package private(set) var created: [ResourceKey] = []
  package private(set) var discarded: Set<OutboxNumber> = []
  /// Somebody began to discard: what falls with it shows its old values from its commit on, before its numbers are known.
  package var hasBegunToDiscard = false
  /// Somebody died while discarding: what fell with it is not known.
  package var discardIsUnknown = false
  /// Decisions to keep ours over theirs, as the texts of both.
  private var kept: [(mine: String, theirs: String)] = []
  /// Records about which a person decided something, by all their keys.
  package private(set) var decided: Set<ResourceKey> = []
  package private(set) var problems: [String] = []

  package func problem(_ text: String) {
    if problems.count < 20 { problems.append(text) }
  }

  package func start(_ process: String, as subject: String) { subjects[process] = subject }

  /// Who wrote a value; `nil` when nobody here did.
  package func author(of value: String) -> String? { write(of: value).flatMap { subjects[$0.process] } }

  // MARK: Writing

  package func begin(
    _ record: ResourceKey, _ slot: SimSlot, _ token: String, by process: String, isCreate: Bool = false
  )
    -> Int
  {
    let index = writes.count
    writes.append(
      Write(index: index, record: record, slot: slot, token: token, process: process, isCreate: isCreate))
    byToken[token] = index
    return index
  }

  package func saw(_ index: Int, _ value: String?, andMore others: [String] = []) {
    writes[index].saw = value
    writes[index].alsoReplaced = others
  }

  package func acknowledge(_ index: Int, _ receipt: WriteReceipt) {
    writes[index].isAcknowledged = true
    writes[index].entries = receipt.entries
    if writes[index].isCreate {
      writes[index].record = receipt.key
      if !created.contains(receipt.key) { created.append(receipt.key) }
    }
    if receipt.entries.isEmpty { problem("\(writes[index].token) was acknowledged without an entry") }
  }

  package func fail(_ index: Int) { writes[index].failed = true }

  package func write(of token: String) -> Write? { byToken[token].map { writes[$0] } }

  // MARK: Deciding

  package func discard(_ numbers: [OutboxNumber]) { discarded.formUnion(numbers) }

  package func keep(mine: String, theirs: String) { kept.append((mine, theirs)) }

  package private(set) var decisions = 0

  package func decide(_ key: ResourceKey) {
    decided.insert(key)
    decisions += 1
  }

  // MARK: Asking

  /// Whether who wrote a value, or decided for it, had seen another that was there before.
  package func hasSeen(_ write: Write, _ value: String) -> Bool {
    var current: Write? = write
    var steps = 0
    while let link = current, steps < 1_000 {
      if link.saw == value { return true }
      if kept.contains(where: { $0.mine.contains(link.token) && $0.theirs.contains(value) }) { return true }
      current = link.saw.flatMap { self.write(of: $0) }
      steps += 1
    }
    return false
  }

  /// Whether one value is what another was written over, at any distance.
  package func isOlder(_ value: String?, than token: String) -> Bool {
    var current = write(of: token)
    var steps = 0
    while let link = current, steps < 1_000 {
      if link.saw == value { return true }
      current = link.saw.flatMap { self.write(of: $0) }
      steps += 1
    }
    return false
  }

  /// The acknowledged writes about which nothing is known.
  ///
  /// - Parameter applied: the values that the server ever held.
  package func lost(applied: Set<String>) -> [Write] {
    var fine: Set<Int> = []
    for write in writes.reversed() where !write.failed {
      let isSuperseded = writes.contains {
        $0.index > write.index && $0.slot == write.slot && !$0.failed
          && ($0.saw == write.token || $0.alsoReplaced.contains(write.token))
          && (fine.contains($0.index) || !$0.isAcknowledged)
      }
      if applied.contains(write.token) || isSuperseded || !discarded.isDisjoint(with: write.entries) {
        fine.insert(write.index)
      }
    }
    return writes.filter { $0.isAcknowledged && !$0.failed && !fine.contains($0.index) }
  }
}
