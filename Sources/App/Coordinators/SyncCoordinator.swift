import Domain
import Observation
import Sync

/// Navigation in the sync feature.
@Observable
final class SyncCoordinator: SyncCoordinating {
  /// The path, which only this coordinator changes.
  private(set) var path = RoutePath<SyncRoute>(root: .status)
  /// Brings the feature's tab to the front.
  @ObservationIgnored var onShow: () -> Void = {}

  /// Where one is in this feature.
  var current: SyncRoute { path.current }

  /// Goes to a route.
  func open(_ route: SyncRoute) {
    path.push(route)
    onShow()
  }

  /// Goes back by one; false at the root.
  func back() -> Bool { path.pop() }

  func showSyncStatus() { open(.status) }
  func showOutbox() { open(.outbox) }
  func showReview() { open(.review) }
  func showReviewItem(_ number: ReviewNumber) { open(.reviewItem(number)) }
}
