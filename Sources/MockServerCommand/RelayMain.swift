import Foundation
import Glibc
import MockServer

/// `clinic-mock-server relay`: the relay as a process.
enum RelayMain {
  static func run(_ arguments: [String]) -> Never {
    let options: RelayOptions
    do {
      options = try RelayOptions(arguments)
    } catch {
      Main.complain("\(error.message)\nTry relay --help.")
      exit(2)
    }
    if options.showsHelp {
      print(RelayOptions.help)
      exit(0)
    }
    let signals = EndSignals()
    do {
      let relay = try MockRelay.open(to: options.target, port: options.port)
      if let file = options.rules {
        guard let text = FileManager.default.contents(atPath: file) else {
          throw Failure("cannot read the rules in \(file)")
        }
        do { try relay.add(rulesIn: Array(text)) } catch { throw Failure("\(file): \(error.message)") }
      }
      let control = try RelayControl.open(for: relay, port: options.control)
      print("listening on \(relay.baseURL)\ncontrol on http://127.0.0.1:\(control.port)")
      fflush(nil)
      signals.wait()
      control.close()
      relay.stop()
      exit(0)
    } catch {
      Main.complain("\(error)")
      exit(1)
    }
  }
}
