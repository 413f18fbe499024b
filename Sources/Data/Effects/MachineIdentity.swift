import Foundation

/// What tells this machine and this process from others.
enum MachineIdentity {
  /// The machine's own id (machine-id(5)); `nil` where there is none.
  static func current() -> String? {
    guard let text = try? String(contentsOfFile: "/etc/machine-id", encoding: .utf8) else { return nil }
    let id = text.filter { !$0.isWhitespace }
    return id.isEmpty ? nil : id
  }

  /// What names this process to people, e.g. `process 4711 on desk-2`.
  static func processName() -> String {
    "process \(getpid()) on \(ProcessInfo.processInfo.hostName)"
  }
}
