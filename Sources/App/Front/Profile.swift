import Dispatch
import Domain
import Foundation

/// What a site writes down once: a JSON object of texts, `NAME.json` in the configuration's folder.
nonisolated struct Profile: Hashable, Sendable {
  /// The server's base URL.
  var server: String?
  /// The clinic's IANA time zone.
  var zone: String?
  /// The practitioner who works here: the id of the record.
  var practitioner: String?
  /// The place where one works: the id of the record.
  var location: String?
  /// Whether plain `http` to other machines than this one is allowed.
  var allowsPlainHTTP = false
  /// The longest time for one request, in whole seconds.
  var timeout: String?

  /// Reads a profile. A file that is not there gives an empty one, unless it was asked for by name.
  ///
  /// - Throws: `fileUnreadable`; `invalidInput` for a file that is no profile, naming what is wrong.
  static func read(_ path: String?, isRequired: Bool) async throws(AppError) -> Profile {
    guard let path else { return Profile() }
    let content: Result<Foundation.Data?, AppError> = await withCheckedContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(returning: contents(of: path)) }
    }
    guard let data = try content.get() else {
      if isRequired {
        throw AppError(.fileUnreadable, "there is no profile \(path)", hint: "create it, or leave --profile out")
      }
      return Profile()
    }
    guard let members = try? JSONDecoder().decode([String: String].self, from: data) else {
      throw AppError(
        .invalidInput, "\(path) is no JSON object of texts", hint: #"write it as {"server": "https://host/fhir"}"#)
    }
    let known: Set<String> = ["server", "zone", "practitioner", "location", "plainHTTP", "timeout"]
    if let unknown = members.keys.sorted().first(where: { !known.contains($0) }) {
      throw AppError(
        .invalidInput, "\(path) has an unknown key \"\(unknown)\"",
        hint: "known are \(known.sorted().joined(separator: ", "))")
    }
    let plain = members["plainHTTP"] ?? "refuse"
    guard ["allow", "refuse"].contains(plain) else {
      throw AppError(.invalidInput, "\(path) says \"\(plain)\" for plainHTTP", hint: "write allow or refuse")
    }
    return Profile(
      server: members["server"], zone: members["zone"], practitioner: members["practitioner"],
      location: members["location"], allowsPlainHTTP: plain == "allow", timeout: members["timeout"])
  }

  private static func contents(of path: String) -> Result<Foundation.Data?, AppError> {
    guard FileManager.default.fileExists(atPath: path) else { return .success(nil) }
    do {
      return .success(try Foundation.Data(contentsOf: URL(fileURLWithPath: path)))
    } catch {
      return .failure(AppError(.fileUnreadable, "cannot read \(path): \(error.localizedDescription)"))
    }
  }
}
