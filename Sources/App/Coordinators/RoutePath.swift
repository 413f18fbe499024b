import Domain

/// A path of routes from a root, and what is presented over its end. Only a coordinator holds one.
nonisolated struct RoutePath<Route: Hashable & Sendable>: Hashable, Sendable {
  /// Where the path begins.
  let root: Route
  /// The routes pushed since, oldest first.
  private(set) var pushed: [Route] = []
  /// What is presented over the end of the path.
  private(set) var presented: Route?
  /// What would be lost with what is presented; `nil` when it may go.
  private(set) var unsaved: UnsavedEntry?

  init(root: Route) {
    self.root = root
  }

  /// What is seen: what is presented, else the end of the path.
  var current: Route { presented ?? end }

  /// The end of the path, beneath what is presented.
  var end: Route { pushed.last ?? root }

  /// Goes on to a route. Going where one is already adds nothing; going to the root returns to it. What is presented
  /// ends, unless it holds something that is not saved: then the path goes on beneath it.
  mutating func push(_ route: Route) {
    if unsaved == nil { presented = nil }
    if route == root {
      pushed = []
    } else if pushed.last != route {
      pushed.append(route)
    }
  }

  /// Presents a route over the end of the path.
  mutating func present(_ route: Route) {
    if presented != route { unsaved = nil }
    presented = route
  }

  /// Notes what would be lost with what is presented.
  mutating func keepUnsaved(_ entry: UnsavedEntry) {
    if presented != nil { unsaved = entry }
  }

  /// Ends what is presented.
  mutating func dismiss() {
    presented = nil
    unsaved = nil
  }

  /// Ends what is presented, else goes back by one; false at the root.
  mutating func pop() -> Bool {
    if presented != nil {
      dismiss()
      return true
    }
    return pushed.popLast() != nil
  }

  /// Goes back to the root.
  mutating func popToRoot() {
    dismiss()
    pushed = []
  }
}
