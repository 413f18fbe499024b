import Dispatch
import Foundation

/// Tells a line editor of what happens to its terminal: another size, and the wish to stop the process for a while.
final class TerminalSignals {
  private var sources: [any DispatchSourceSignal] = []

  init(_ editor: LineEditor) {
    // A stop has to put the terminal back first.
    signal(SIGTSTP, SIG_IGN)
    watch(SIGTSTP) { editor.suspend() }
    watch(SIGWINCH) { editor.resize() }
  }

  private func watch(_ number: Int32, _ tell: @escaping @Sendable () -> Void) {
    let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
    source.setEventHandler(handler: DispatchWorkItem(block: tell))
    source.resume()
    sources.append(source)
  }
}
