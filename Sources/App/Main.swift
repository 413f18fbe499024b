import CProcess
import Domain
import Foundation

@main
struct Main {
  static func main() async {
    clinic_process_share_heap()
    let interruption = Interruption()
    let signals = Signals(interruption)
    let status = await ClinicCommand.run(
      arguments: Array(CommandLine.arguments.dropFirst()), environment: Environment.variablesOfProcess(),
      streams: .standard(), interruption: interruption, clock: .system,
      stores: DependencyContainer.liveStores, open: DependencyContainer.openLive)
    withExtendedLifetime(signals) {}
    fflush(nil)
    // Not exit(3): what libraries tidy up there, the network's thread may still be using while it ends.
    _exit(status)
  }
}

extension Environment {
  /// The variables of this process. To be read before there are threads.
  nonisolated fileprivate static func variablesOfProcess() -> [String: String] {
    var variables: [String: String] = [:]
    var next = clinic_process_environment()
    while let entry = next?.pointee {
      let parts = String(cString: entry).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2 { variables[String(parts[0])] = String(parts[1]) }
      next = next?.advanced(by: 1)
    }
    return variables
  }
}

extension WallClock {
  /// The clock of this machine.
  nonisolated static let system = WallClock {
    let now = Date().timeIntervalSince1970
    let seconds = now.rounded(.down)
    return Instant(secondsSince1970: Int64(seconds), nanoseconds: Int((now - seconds) * 1_000_000_000))
  }
}
