import Dispatch
import Foundation

/// Watches the signals that end a program, and hands them to the main actor.
final class Signals {
  private var sources: [any DispatchSourceSignal] = []

  /// Begins to watch. A second signal of one kind ends the process at once, in case the first is not answered.
  init(_ interruption: Interruption) {
    // A reader that goes away is seen where the text is written.
    signal(SIGPIPE, SIG_IGN)
    for (number, status) in [
      (SIGINT, ExitStatus.interrupted), (SIGTERM, .terminated), (SIGHUP, .terminated),
    ] {
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
      source.setEventHandler {
        MainActor.assumeIsolated {
          if interruption.signal == status { _exit(status.rawValue) }
          interruption.receive(status)
        }
      }
      source.resume()
      sources.append(source)
    }
  }
}
