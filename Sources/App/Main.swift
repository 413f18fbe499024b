import Domain
import Foundation

@main
struct Main {
  static func main() async {
    let interruption = Interruption()
    let signals = Signals(interruption)
    let status = await ClinicCommand.run(
      arguments: Array(CommandLine.arguments.dropFirst()), environment: ProcessInfo.processInfo.environment,
      streams: .standard(), interruption: interruption, clock: .system,
      stores: DependencyContainer.liveStores, open: DependencyContainer.openLive)
    withExtendedLifetime(signals) {}
    fflush(nil)
    // Not exit(3): what libraries tidy up there, the network's thread may still be using while it ends.
    _exit(status)
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
