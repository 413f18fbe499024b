/// A path of routes from a root, and what is presented over its end. Only a coordinator holds one.
nonisolated struct RoutePath<Route: Hashable & Sendable>: Hashable, Sendable {
  /// Where the path begins.
  let root: Route
  /// The routes pushed since, oldest first.
  private(set) var pushed: [Route] = []
  /// What is presented over the end of the path.
  private(set) var presented: Route?

  init(root: Route) {
    self.root = root
  }

  /// What is seen: what is presented, else the end of the path.
  var current: Route { presented ?? pushed.last ?? root }

  /// Goes on to a route. Going where one is already adds nothing; going to the root returns to it.
  mutating func push(_ route: Route) {
    presented = nil
    if route == root {
      pushed = []
    } else if pushed.last != route {
      pushed.append(route)
    }
  }

  /// Presents a route over the end of the path.
  mutating func present(_ route: Route) { presented = route }

  /// Ends what is presented.
  mutating func dismiss() { presented = nil }

  /// Ends what is presented, else goes back by one; false at the root.
  mutating func pop() -> Bool {
    if presented != nil {
      presented = nil
      return true
    }
    return pushed.popLast() != nil
  }

  /// Goes back to the root.
  mutating func popToRoot() {
    presented = nil
    pushed = []
  }
}
