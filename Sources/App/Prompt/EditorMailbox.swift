import Foundation
import Synchronization

/// What others want from the thread of the line editor.
nonisolated enum EditorEvent: Sendable {
  /// A line; answered once.
  case read(id: Int, PromptText, CheckedContinuation<[UInt8]?, Never>)
  /// No line any more.
  case cancel(id: Int)
  /// A text above the line.
  case say(String)
  /// Another prompt.
  case change(PromptText)
  /// The terminal has another size.
  case resize
  /// The process is to stop until it is continued.
  case suspend
  /// The end; answered once.
  case end(CheckedContinuation<Void, Never>)
}

/// Events for a thread that waits with `poll`.
nonisolated final class EditorMailbox: Sendable {
  private let events = Mutex<[EditorEvent]>([])
  /// A byte in it for every event.
  private let bell: (read: Int32, write: Int32)

  init() {
    var ends: [Int32] = [-1, -1]
    if pipe(&ends) == 0 { for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) } }
    bell = (ends[0], ends[1])
  }

  deinit {
    close(bell.read)
    close(bell.write)
  }

  func post(_ event: EditorEvent) {
    events.withLock { $0.append(event) }
    var byte: UInt8 = 0
    _ = write(bell.write, &byte, 1)
  }

  /// The oldest event, which is then no longer here. Asked for when `wait` has said that there is one.
  func take() -> EditorEvent? {
    var byte: UInt8 = 0
    _ = read(bell.read, &byte, 1)
    return events.withLock { $0.isEmpty ? nil : $0.removeFirst() }
  }

  /// Waits for an event, or for input where a descriptor is given.
  ///
  /// - Returns: whether there is input.
  func wait(input: Int32? = nil) -> Bool {
    while true {
      var polled = [pollfd(fd: bell.read, events: Int16(POLLIN), revents: 0)]
      if let input { polled.append(pollfd(fd: input, events: Int16(POLLIN), revents: 0)) }
      guard poll(&polled, nfds_t(polled.count), -1) >= 0 else {
        if errno == EINTR { continue }
        return true
      }
      // What others want comes first, so that a request to stop is not behind a paste.
      if polled[0].revents != 0 { return false }
      if polled.count > 1, polled[1].revents != 0 { return true }
    }
  }
}
