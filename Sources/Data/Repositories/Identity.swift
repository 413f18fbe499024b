import Domain
import Synchronization

/// Who works here now, and with which token.
final class Identity: IdentityRepository {
  private struct State {
    var author: Author
    var tokenFile: String?
  }

  let owner: Author
  private let ownersTokenFile: String?
  private let isService: Bool
  private let state: Mutex<State>
  private let runs: Mutex<(@Sendable (@escaping @Sendable () -> Void) async -> Void)?> = Mutex(nil)

  /// - Parameter isService: whether the owner sends for everyone, with the owner's token.
  init(owner: Author, tokenFile: String?, isService: Bool) {
    self.owner = owner
    ownersTokenFile = tokenFile
    self.isService = isService
    state = Mutex(State(author: owner, tokenFile: tokenFile))
  }

  var author: Author { state.withLock { $0.author } }

  /// The file of the token that is sent now.
  var tokenFile: String? { isService ? ownersTokenFile : state.withLock { $0.tokenFile } }

  /// Whose entries may go now.
  var sender: Engine.Sender { Engine.Sender(author: isService ? owner : author, isService: isService) }

  /// Sets how a change is kept out of a running sync: it would send what one user wrote with the other's token.
  func changeBetweenPasses(_ between: @escaping @Sendable (@escaping @Sendable () -> Void) async -> Void) {
    runs.withLock { $0 = between }
  }

  func signIn(_ author: Author, tokenFile: String?) async {
    await change(to: State(author: author, tokenFile: tokenFile))
  }

  func signOut() async {
    await change(to: State(author: owner, tokenFile: ownersTokenFile))
  }

  private func change(to new: State) async {
    let set: @Sendable () -> Void = { [self] in state.withLock { $0 = new } }
    if let between = runs.withLock({ $0 }) { await between(set) } else { set() }
  }
}

/// ``PlaceRepository`` in the store, so that it goes where the work goes.
struct PlaceStore: PlaceRepository {
  let store: Store

  func lastPlace(of author: Author) async -> String? {
    let key = Self.key(author)
    do throws(AppError) {
      return try await store.read { transaction throws(AppError) in try transaction.meta(key) }
    } catch {
      // A convenience: that it cannot be read is no reason not to begin.
      return nil
    }
  }

  func remember(_ link: String, of author: Author) async throws(AppError) {
    let key = Self.key(author)
    try await store.write(durability: .normal) { transaction throws(AppError) in try transaction.setMeta(key, link) }
  }

  private static func key(_ author: Author) -> String { "place \(author.issuer) \(author.subject)" }
}
