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

  /// Whether colour is wanted (no-color.org) and the terminal can show it.
  var allowsColour: Bool { self["NO_COLOR"] == nil && self["TERM"] != "dumb" }

  /// Whether something that moves is wanted.
  var allowsMotion: Bool { self["CLINIC_REDUCED_MOTION"] == nil && self["TERM"] != "dumb" }

  /// Whether text is read aloud.
  var usesScreenReader: Bool { self["CLINIC_SCREEN_READER"] != nil }

  /// The width that the user wants.
  var columns: Int? { self["COLUMNS"].flatMap { Int($0) }.flatMap { $0 >= 20 ? $0 : nil } }

  /// The specification says that relative paths are to be ignored.
  private func absolute(_ name: String) -> String? {
    self[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
  }
}
