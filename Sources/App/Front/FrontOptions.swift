import DesignSystem

/// The options that every line understands.
nonisolated enum FrontOptions {
  static let store = OptionSpec("store", .file, placeholder: "DIR", summary: "where the data is kept")
  static let server = OptionSpec("server", placeholder: "URL", summary: "the FHIR server's base URL")
  static let profile = OptionSpec("profile", placeholder: "NAME", summary: "which profile is used; clinic if not given")
  static let offline = FlagSpec("offline", summary: "make no request")
  static let json = FlagSpec("json", summary: "write for programs, a JSON object a line")
  static let plain = FlagSpec("plain", summary: "write without colour, and show nothing that moves")
  static let verbose = FlagSpec("verbose", summary: "tell on standard error what is used")
  static let version = FlagSpec("version", summary: "show the version")
  static let sync = FlagSpec("sync", summary: "send what is unsent before the line ends")

  static let all = GlobalSpecs(
    options: [store, server, profile],
    flags: [.fresh, sync, json, plain, .yes, offline, verbose, version])

  /// What is decided when the program starts, and cannot be changed by a line of a session.
  static let atStart: Set<String> = [store.name, server.name, profile.name, offline.name, version.name]
}
