import DesignSystem
import Domain

/// The lines by which people sit down at the workstation and leave it.
nonisolated enum UserCommands {
  static let specs = [loginSpec, logoutSpec, whoamiSpec]

  /// The commands, bound to a container.
  @MainActor
  static func commands(of container: DependencyContainer) -> [Command] {
    [
      Command(loginSpec) { invocation throws(AppError) in
        let name = invocation.text("user")
        guard let user = name.nonBlankText else {
          throw AppError(.invalidInput, "a user needs a name", field: "user")
        }
        var practitioner: Practitioner.ID?
        if let reference = invocation.optionalRef("practitioner") {
          let id = try await container.repositories.resolver.resolve(reference, as: Practitioner.self)
          guard await container.repositories.practitioners.practitioner(id, policy: .localOnly).first()?.value != nil
          else { throw AppError(.notFound, "\(id.key) is not known here", hint: "sync, or give another id") }
          practitioner = id
        }
        let owner = container.repositories.identity.owner
        return try await container.change(invocation, confirming: user) {
          if user == owner.subject, practitioner == nil, invocation.option("token-file") == nil {
            await container.repositories.identity.signOut()
          } else {
            await container.repositories.identity.signIn(
              Author(issuer: deskIssuer, subject: user, practitioner: practitioner),
              tokenFile: invocation.option("token-file"))
          }
        }
      },
      Command(logoutSpec) { invocation throws(AppError) in
        try await container.change(invocation, confirming: container.repositories.identity.owner.displayName) {
          await container.repositories.identity.signOut()
        }
      },
      Command(whoamiSpec) { _ throws(AppError) in container.whoami },
    ]
  }

  /// Who vouches for someone who gave a name at this workstation.
  static let deskIssuer = "desk"

  static let loginSpec = CommandSpec(
    path: ["login"], summary: "sit down at this workstation",
    arguments: [ArgumentSpec("user", summary: "the name under which is written")],
    options: [
      OptionSpec("practitioner", .ref, summary: "the practitioner who the user is, recorded on every write"),
      OptionSpec("token-file", .file, summary: "the file that holds the user's token; without one, none is sent"),
    ],
    examples: ["login nora", "login nora --practitioner dr-1 --token-file nora.token"],
    discussion: [
      "Lasts until logout, another login, or the end of the session or script. What is unsent stays with whoever wrote "
        + "it, and never goes with the token of another. One comes back to where one was last."
    ])

  static let logoutSpec = CommandSpec(
    path: ["logout"], summary: "leave the workstation to its owner", examples: ["logout"])

  static let whoamiSpec = CommandSpec(
    path: ["whoami"], summary: "show who writes, where the data is kept and which server is used",
    examples: ["whoami"])
}

/// Where a user was when it was last written down.
nonisolated struct RememberedPlace: Hashable, Sendable {
  let author: Author
  let link: String
}

extension DependencyContainer {
  /// Lets someone else sit down: remembers where the one before was, and goes where the next one was.
  fileprivate func change(
    _ invocation: Invocation, confirming user: String, _ change: () async -> Void
  ) async throws(AppError) -> Page {
    guard isSession else {
      throw AppError(
        .notAllowed, "a sign-in lasts as long as its session or script, and this line would end it at once",
        hint: "start a session: clinic")
    }
    if guardsUnsaved, !invocation.confirmed, let what = shell.unsaved.first {
      throw AppError(.needsConfirmation, "\(what) is not saved; leave it to \(user)?", hint: "back")
    }
    if guardsUnsaved { await rememberPlace() }
    await change()
    onUserChange()
    shell.reset()
    var page = whoami
    if guardsUnsaved, let reason = await restorePlace() { page.warnings.append(reason) }
    return page
  }

  /// Remembers where the present user is. What is presented is not a place to come back to.
  func rememberPlace() async {
    let place = RememberedPlace(author: context.author, link: shell.restingPlace.link.text)
    guard place != remembered else { return }
    remembered = place
    // A convenience: that it cannot be written is no reason to fail a line.
    try? await repositories.places.remember(place.link, of: place.author)
  }

  /// Goes where the present user was last.
  ///
  /// - Returns: why one does not come back there; `nil` where nothing is remembered.
  func restorePlace() async -> String? {
    guard let link = await repositories.places.lastPlace(of: context.author) else { return nil }
    do throws(AppError) {
      let place = try shell.place(link: link)
      _ = try await page(at: place, reading: .local)
      _ = errors.take()
      shell.open(place)
      return nil
    } catch {
      _ = errors.take()
      return "\(link), where \(context.author.displayName) was last, cannot be shown: \(error.message)"
    }
  }

  /// Who writes, and with what.
  var whoami: Page {
    let author = context.author
    let isSignedIn = author.issuer != "os"
    return Page(
      title: author.displayName,
      blocks: [
        .fields([
          Field("signed in", isSignedIn ? author.issuer : "no: the user of the operating system writes"),
          Field("practitioner", author.practitioner?.rawValue ?? ""), Field("server", settings.server ?? "none"),
          Field("store", settings.storeDirectory), Field("profile", settings.profile),
          Field("clinic's zone", settings.zone.identifier),
        ])
      ],
      records: [
        Record(
          "user",
          [
            "issuer": .string(author.issuer), "subject": .string(author.subject),
            "practitioner": .optional(author.practitioner?.rawValue), "server": .optional(settings.server),
            "store": .string(settings.storeDirectory), "profile": .string(settings.profile),
            "zone": .string(settings.zone.identifier),
          ])
      ])
  }
}

extension String {
  fileprivate nonisolated var nonBlankText: String? {
    let words = split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return words.isEmpty ? nil : words
  }
}
