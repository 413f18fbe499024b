/// Who works at this workstation now. It can change without a restart: what is unsent stays with whoever wrote it.
public protocol IdentityRepository: Sendable {
  /// Who writes now.
  var author: Author { get }

  /// Whose workstation it is: who writes before anyone has signed in, and after they have left.
  var owner: Author { get }

  /// Changes who writes, and with whose token is sent. Returns once nothing is being sent for the one before.
  ///
  /// - Parameter tokenFile: a file with the user's bearer token on its first line; `nil` sends without one. Nothing goes
  ///   with the token of another.
  func signIn(_ author: Author, tokenFile: String?) async

  /// Gives the workstation back to its owner. Returns once nothing is being sent for the one before.
  func signOut() async
}

/// Remembers for each user where they were.
public protocol PlaceRepository: Sendable {
  /// The link to where a user was last; `nil` when nothing is remembered.
  func lastPlace(of author: Author) async -> String?

  /// Remembers where a user is.
  ///
  /// - Throws: store errors.
  func remember(_ link: String, of author: Author) async throws(AppError)
}
