import Foundation

/// What tells this machine and this process from others.
enum MachineIdentity {
  private static let machine: String? = {
    guard let text = SmallFile.text("/etc/machine-id", atMost: 4_096) else { return nil }
    let id = text.filter { !$0.isWhitespace }
    return id.isEmpty ? nil : id
  }()

  /// The machine's own id (machine-id(5)); `nil` where there is none. It is read once.
  static func current() -> String? { machine }

  /// What names this process to people, e.g. `process 4711 on desk-2`.
  static func processName() -> String {
    // HOST_NAME_MAX and its end.
    var name = [CChar](repeating: 0, count: 65)
    let isKnown = gethostname(&name, name.count) == 0
    let host = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    return "process \(getpid()) on \(isKnown && !host.isEmpty ? host : "this machine")"
  }
}
