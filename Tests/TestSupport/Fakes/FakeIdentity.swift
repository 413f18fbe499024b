public import Domain
import Synchronization

/// A workstation in memory.
public final class FakeIdentity: IdentityRepository, PlaceRepository {
  private struct State {
    var author: Author
    var tokenFile: String?
    var places: [Author: String] = [:]
  }

  /// Whose it is.
  public let owner: Author
  private let state: Mutex<State>

  public init(_ owner: Author = .operatingSystemUser("nora")) {
    self.owner = owner
    state = Mutex(State(author: owner))
  }

  /// Who sits there.
  public var author: Author { state.withLock { $0.author } }
  /// With whose token is sent.
  public var tokenFile: String? { state.withLock { $0.tokenFile } }

  public func signIn(_ author: Author, tokenFile: String?) async {
    state.withLock {
      $0.author = author
      $0.tokenFile = tokenFile
    }
  }

  public func signOut() async { await signIn(owner, tokenFile: nil) }

  public func lastPlace(of author: Author) async -> String? { state.withLock { $0.places[author] } }

  public func remember(_ link: String, of author: Author) async throws(AppError) {
    state.withLock { $0.places[author] = link }
  }
}
