import Data
import Dispatch
import Domain
import Foundation

/// What a site writes down once: a JSON object, `NAME.json` in the configuration's folder.
nonisolated struct Profile: Hashable, Sendable {
  /// The server's base URL.
  var server: String?
  /// The folder of the store.
  var store: String?
  /// The clinic's IANA time zone.
  var zone: String?
  /// The practitioner who works here: the id of the record.
  var practitioner: String?
  /// The place where one works: the id of the record.
  var location: String?
  /// When the clinic works, as `mon-fri 08:00-12:00 13:00-17:00`.
  var hours: String?
  /// Whether the workstation's identity sends for all who write here, naming them; else everyone sends for themselves.
  var sendsForEveryone = false
  /// Whether plain `http` to other machines than this one is allowed.
  var allowsPlainHTTP = false
  /// The longest time for one request, in whole seconds.
  var timeout: String?
  /// What of the server's records is pulled, without the zone; `nil` for all of them.
  var pull: Pull?
  /// For how long answers count as fresh.
  var windows = FreshnessWindows.clinical

  /// What of the server's records is pulled.
  struct Pull: Hashable, Sendable {
    /// The ids of places.
    var locations: [String]
    /// The ids of practitioners.
    var practitioners: [String]
    /// Days of the schedule before today.
    var daysBack: Int?
    /// Days of the schedule after today.
    var daysAhead: Int?
    /// The ids of general practitioners whose patients are pulled.
    var panelOf: [String]
    /// The ids of further patients.
    var patients: [String]

    /// The selection, in a zone.
    func selection(_ zone: ClinicZone) -> PullSelection {
      var selection = PullSelection(
        locations: locations, practitioners: practitioners, panelPractitioners: panelOf, panelPatients: patients,
        zone: zone)
      if let daysBack { selection.daysBack = daysBack }
      if let daysAhead { selection.daysAhead = daysAhead }
      return selection
    }
  }
  /// Whether the commands of a session are kept for the next one.
  var keepsHistory = false

  /// Reads a profile. A file that is not there gives an empty one, unless it was asked for by name.
  ///
  /// - Throws: `fileUnreadable`; `invalidInput` for a file that is no profile, naming what is wrong.
  static func read(_ path: String?, isRequired: Bool) async throws(AppError) -> Profile {
    // Most have none. To ask whether it is there is quick, and spares the start a turn on another thread.
    guard let path, access(path, F_OK) == 0 else {
      guard isRequired, let path else { return Profile() }
      throw AppError(.fileUnreadable, "there is no profile \(path)", hint: "create it, or leave --profile out")
    }
    let content: Result<Foundation.Data, AppError> = await withCheckedContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(returning: contents(of: path)) }
    }
    let file = try ProfileFile(try content.get(), path: path)
    try file.refuseUnknown([
      "server", "store", "zone", "practitioner", "location", "plainHTTP", "timeout", "pull", "freshness", "hours",
      "sendsFor", "history",
    ])
    let plain = try file.text("plainHTTP") ?? "refuse"
    guard ["allow", "refuse"].contains(plain) else {
      throw AppError(.invalidInput, "\(path) says \"\(plain)\" for plainHTTP", hint: "write allow or refuse")
    }
    let history = try file.text("history") ?? "forget"
    guard ["keep", "forget"].contains(history) else {
      throw AppError(.invalidInput, "\(path) says \"\(history)\" for history", hint: "write keep or forget")
    }
    let sendsFor = try file.text("sendsFor") ?? "author"
    guard ["author", "everyone"].contains(sendsFor) else {
      throw AppError(.invalidInput, "\(path) says \"\(sendsFor)\" for sendsFor", hint: "write author or everyone")
    }
    return Profile(
      server: try file.text("server"), store: try file.text("store"), zone: try file.text("zone"),
      practitioner: try file.text("practitioner"),
      location: try file.text("location"), hours: try file.text("hours"),
      sendsForEveryone: sendsFor == "everyone", allowsPlainHTTP: plain == "allow", timeout: try file.text("timeout"),
      pull: try pull(file.object("pull")), windows: try windows(file.object("freshness")),
      keepsHistory: history == "keep")
  }

  private static func pull(_ file: ProfileFile?) throws(AppError) -> Pull? {
    guard let file else { return nil }
    try file.refuseUnknown(["locations", "practitioners", "daysBack", "daysAhead", "panelOf", "patients"])
    return Pull(
      locations: try file.list("locations"), practitioners: try file.list("practitioners"),
      daysBack: try file.number("daysBack", in: 0...3_660), daysAhead: try file.number("daysAhead", in: 0...3_660),
      panelOf: try file.list("panelOf"), patients: try file.list("patients"))
  }

  /// Windows by type; a bound that is not given stays as it is.
  private static func windows(_ file: ProfileFile?) throws(AppError) -> FreshnessWindows {
    var windows = FreshnessWindows.clinical
    guard let file else { return windows }
    try file.refuseUnknown(ClinicData.pulledTypes + ["default"])
    for name in file.names {
      guard let bounds = try file.object(name) else { continue }
      try bounds.refuseUnknown(["fresh", "expired"])
      var window = windows.windows[name] ?? windows.standard
      window.fresh = try bounds.seconds("fresh") ?? window.fresh
      window.expired = try bounds.seconds("expired") ?? window.expired
      guard window.fresh <= window.expired else {
        throw AppError(.invalidInput, "\(bounds.place): what is fresh cannot be expired", field: name)
      }
      if name == "default" { windows.standard = window } else { windows.windows[name] = window }
    }
    return windows
  }

  private static func contents(of path: String) -> Result<Foundation.Data, AppError> {
    do {
      return .success(try Foundation.Data(contentsOf: URL(fileURLWithPath: path)))
    } catch {
      return .failure(AppError(.fileUnreadable, "cannot read \(path): \(error.localizedDescription)"))
    }
  }
}
