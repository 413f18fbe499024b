#if FAIL_POINTS
  import Foundation
#endif

/// A named place where a test may stop the process, as a power cut would. Gone from release products.
///
/// `CLINIC_FAIL_POINT=NAME` or `NAME:N` kills the process at the first or Nth passage; with `CLINIC_FAIL_SIGNAL=N` it
/// gets that signal instead, e.g. 2 as by Ctrl-C, or 19 to be put to sleep. The cases of this type are the
/// whole list, so a harness that goes through `allCases` cannot forget one.
package enum FailPoint: String, CaseIterable, Sendable {
  case writeBegun = "write.begun"
  case writeResourceStored = "write.resource-stored"
  case writeEnqueued = "write.enqueued"
  case writeCommitted = "write.committed"
  case recoveryCommitted = "recovery.committed"
  case claimBeforeCommit = "claim.before-commit"
  case claimCommitted = "claim.committed"
  case sendBodyRead = "send.body-read"
  case sendAnswered = "send.answered"
  case settleBegun = "settle.begun"
  case settleIdentityMapped = "settle.identity-mapped"
  case settleRebased = "settle.rebased"
  case settleBeforeCommit = "settle.before-commit"
  case settleCommitted = "settle.committed"
  case resolveAnswered = "resolve.answered"
  case pageResourcesStored = "page.resources-stored"
  case pageBeforeCommit = "page.before-commit"
  case pageCommitted = "page.committed"
  case watermarkBeforeCommit = "watermark.before-commit"
  case journalTrimmed = "journal.trimmed"
  case reviewBeforeCommit = "review.before-commit"
  case reviewDecided = "review.decided"
  case discardBeforeCommit = "discard.before-commit"
  case migrationBeforeCommit = "migration.before-commit"
  case checkpointBegun = "checkpoint.begun"
  case checkpointCopied = "checkpoint.copied"
  case salvageFilled = "salvage.filled"
  case storeSetAside = "store.set-aside"

  /// Passes this point, or dies here.
  package func pass() {
    #if FAIL_POINTS
      FailPoint.armed?.hit(self)
    #endif
  }

  #if FAIL_POINTS
    private static let armed: Armed? = {
      let environment = ProcessInfo.processInfo.environment
      guard let text = environment["CLINIC_FAIL_POINT"] else { return nil }
      let parts = text.split(separator: ":", maxSplits: 1)
      guard let name = parts.first, let point = FailPoint(rawValue: String(name)) else { return nil }
      return Armed(
        point: point, passages: parts.count > 1 ? Int(parts[1]) ?? 1 : 1,
        signal: environment["CLINIC_FAIL_SIGNAL"].flatMap { Int32($0) } ?? SIGKILL)
    }()

    private final class Armed: Sendable {
      private let point: FailPoint
      private let left: Counter
      private let signal: Int32

      init(point: FailPoint, passages: Int, signal: Int32) {
        self.point = point
        self.signal = signal
        left = Counter(passages)
      }

      func hit(_ passed: FailPoint) {
        guard passed == point, left.decrement() == 0 else { return }
        kill(getpid(), signal)
      }
    }
  #endif
}
