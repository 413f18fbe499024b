/// The process's environment. A variable that is empty counts as not set.
nonisolated struct Environment: Hashable, Sendable {
  private let variables: [String: String]

  init(_ variables: [String: String]) {
    self.variables = variables
  }

  subscript(_ name: String) -> String? {
    variables[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Where profiles lie (the XDG Base Directory Specification); `nil` without a home.
  var configurationDirectory: String? {
    if let home = self["CLINIC_HOME"] { return home }
    if let directory = absolute("XDG_CONFIG_HOME") { return "\(directory)/clinic" }
    return self["HOME"].map { "\($0)/.config/clinic" }
  }

  /// Where stores lie; `nil` without a home.
  var dataDirectory: String? {
    if let home = self["CLINIC_HOME"] { return "\(home)/stores" }
    if let directory = absolute("XDG_DATA_HOME") { return "\(directory)/clinic" }
    return self["HOME"].map { "\($0)/.local/share/clinic" }
  }

  /// Where what is kept between sessions lies; `nil` without a home.
  var stateDirectory: String? {
    if let home = self["CLINIC_HOME"] { return "\(home)/state" }
    if let directory = absolute("XDG_STATE_HOME") { return "\(directory)/clinic" }
    return self["HOME"].map { "\($0)/.local/state/clinic" }
  }

  /// Whether colour is wanted (no-color.org) and the terminal can show it.
  var allowsColour: Bool { self["NO_COLOR"] == nil && self["TERM"] != "dumb" }

  /// Whether something that moves is wanted.
  var allowsMotion: Bool { self["CLINIC_REDUCED_MOTION"] == nil && self["TERM"] != "dumb" }

  /// Whether the terminal can move its cursor, so that a line can be edited.
  var canEdit: Bool { self["TERM"].map { $0 != "dumb" } ?? false }

  /// What shows long texts, as a line for the shell; `nil` where nothing is wanted in between.
  var pager: String? {
    guard self["TERM"] != "dumb" else { return nil }
    let command = self["CLINIC_PAGER"] ?? self["PAGER"] ?? "less -R"
    return command == "cat" ? nil : command
  }

  /// Whether text is read aloud.
  var usesScreenReader: Bool { self["CLINIC_SCREEN_READER"] != nil }

  /// The width that the user wants.
  var columns: Int? { self["COLUMNS"].flatMap { Int($0) }.flatMap { $0 >= 20 ? $0 : nil } }

  /// The specification says that relative paths are to be ignored.
  private func absolute(_ name: String) -> String? {
    self[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
  }
}
