import Domain
import Sync

/// Navigation in the sync feature.
final class SyncCoordinator: TabCoordinator<SyncRoute>, SyncCoordinating {
  func showSyncStatus() { open(.status) }
  func showOutbox() { open(.outbox) }
  func showReview() { open(.review) }
  func showReviewItem(_ number: ReviewNumber) { open(.reviewItem(number)) }
}
