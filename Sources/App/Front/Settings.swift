import Data
import DesignSystem
import Domain
import Foundation
import Scheduling

/// What the program works with: from its options, else its environment, else the profile, else defaults.
nonisolated struct Settings: Hashable, Sendable {
  /// The name of the profile.
  var profile: String
  /// The folder of the store.
  var storeDirectory: String
  /// The server's base URL; `nil` when none is configured.
  var server: String?
  /// The file that holds the bearer token.
  var tokenFile: String?
  /// The clinic's zone.
  var zone: ClinicZone
  /// Who writes.
  var author: Author
  /// Whom and where to book when a line does not say it.
  var bookingDefaults: BookingDefaults
  /// Whether no request may be made.
  var isOffline: Bool
  /// Whether plain `http` to other machines than this one is allowed.
  var allowsPlainHTTP = false
  /// The longest time for one request.
  var requestTimeout: Duration = .seconds(30)
  /// What of the server's records is pulled; `nil` for all of them.
  var selection: PullSelection?
  /// For how long answers count as fresh.
  var windows = FreshnessWindows.clinical
  /// Where the commands of sessions are kept, for profiles that keep them.
  var historyFile: String?
}

extension Settings {
  /// Puts the settings together.
  ///
  /// - Throws: `invalidInput` for a value that is not acceptable, naming where it was given; `fileUnreadable` for a profile
  ///   that cannot be read.
  static func resolve(_ options: OptionValues, environment: Environment) async throws(AppError) -> Settings {
    let name = try profileName(options)
    let file = environment.configurationDirectory.map { "\($0)/\(name).json" }
    let profile = try await Profile.read(file, isRequired: options.option(FrontOptions.profile.name) != nil)
    let zone = try zone(environment, profile)
    return Settings(
      profile: name, storeDirectory: try store(options, environment, profile, name: name),
      server: try server(options, environment, profile), tokenFile: environment["CLINIC_TOKEN_FILE"],
      zone: zone,
      author: Author(
        issuer: "os", subject: environment["USER"] ?? NSUserName(),
        practitioner: profile.practitioner.map { Practitioner.ID($0) }),
      bookingDefaults: BookingDefaults(practitioner: profile.practitioner, location: profile.location),
      isOffline: options.flag(FrontOptions.offline.name), allowsPlainHTTP: profile.allowsPlainHTTP,
      requestTimeout: try timeout(environment, profile), selection: profile.pull?.selection(zone),
      windows: profile.windows,
      historyFile: profile.keepsHistory ? environment.stateDirectory.map { "\($0)/\(name).history" } : nil)
  }

  private static func profileName(_ options: OptionValues) throws(AppError) -> String {
    guard let name = options.option(FrontOptions.profile.name) else { return "clinic" }
    guard !name.isEmpty, name.utf8.allSatisfy({ Self.nameCharacters.contains($0) }) else {
      throw AppError(
        .invalidInput, "\"\(name)\" is no name of a profile", hint: "use letters, digits, - and _", field: "profile")
    }
    return name
  }

  private static let nameCharacters = Set(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_".utf8)

  private static func store(
    _ options: OptionValues, _ environment: Environment, _ profile: Profile, name: String
  ) throws(AppError) -> String {
    if let directory = options.option(FrontOptions.store.name) ?? profile.store { return directory }
    guard let directory = environment.dataDirectory else {
      throw AppError(
        .storeUnavailable, "nothing says where the data is kept: HOME is not set", hint: "add --store DIR")
    }
    return "\(directory)/\(name)"
  }

  private static func server(
    _ options: OptionValues, _ environment: Environment, _ profile: Profile
  ) throws(AppError) -> String? {
    let given: (text: String, place: String)?
    if let text = options.option(FrontOptions.server.name) {
      given = (text, "--server")
    } else if let text = environment["CLINIC_SERVER"] {
      given = (text, "CLINIC_SERVER")
    } else {
      given = profile.server.map { ($0, "the profile") }
    }
    guard let given else { return nil }
    guard let url = URLComponents(string: given.text), url.scheme == "http" || url.scheme == "https",
      url.host?.isEmpty == false, url.query == nil, url.fragment == nil
    else {
      throw AppError(
        .invalidInput, "\"\(given.text)\", given by \(given.place), is no base URL of a server",
        hint: "write it as https://host/fhir", field: "server")
    }
    guard url.user == nil, url.password == nil else {
      throw AppError(
        .invalidInput, "the base URL given by \(given.place) holds a user or a password",
        hint: "put the token into a file and name it by CLINIC_TOKEN_FILE", field: "server")
    }
    return given.text
  }

  /// Whole seconds, from the environment or else the profile.
  private static func timeout(_ environment: Environment, _ profile: Profile) throws(AppError) -> Duration {
    for (text, place) in [(environment["CLINIC_TIMEOUT"], "CLINIC_TIMEOUT"), (profile.timeout, "the profile")] {
      guard let text else { continue }
      guard let seconds = Int(text), (1...600).contains(seconds) else {
        throw AppError(
          .invalidInput, "\"\(text)\", given by \(place), is no time for a request",
          hint: "give whole seconds from 1 to 600", field: "timeout")
      }
      return .seconds(seconds)
    }
    return .seconds(30)
  }

  /// The clinic's zone is the profile's or the environment's choice; the host's zone only stands in for it.
  private static func zone(_ environment: Environment, _ profile: Profile) throws(AppError) -> ClinicZone {
    for (name, place) in [(environment["CLINIC_ZONE"], "CLINIC_ZONE"), (profile.zone, "the profile")] {
      guard let name else { continue }
      guard let zone = ClinicZone(name) else {
        throw AppError(
          .invalidInput, "\"\(name)\", given by \(place), is no time zone", hint: "write it as Europe/Paris",
          field: "zone")
      }
      return zone
    }
    let host = environment["TZ"].map { $0.hasPrefix(":") ? String($0.dropFirst()) : $0 } ?? TimeZone.current.identifier
    return ClinicZone(host) ?? .utc
  }
}
