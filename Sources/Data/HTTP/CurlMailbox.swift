import CCurl
import Synchronization

/// One request on its way to the thread.
final class CurlOrder: Sendable {
  let request: HTTPRequest
  let origin: Origin
  private let cancelled = Atomic(false)

  init(request: HTTPRequest, origin: Origin) {
    self.request = request
    self.origin = origin
  }

  /// Set before the cancel command is posted, since that may overtake the order itself.
  var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

  func markCancelled() { cancelled.store(true, ordering: .releasing) }
}

/// The one door between callers and the transport's thread.
final class CurlMailbox: Sendable {
  typealias Continuation = CheckedContinuation<Result<HTTPResponse, TransportError>, Never>

  enum Entry: Sendable {
    case add(CurlOrder, Continuation)
    case cancel(CurlOrder)
  }

  /// `curl_multi_wakeup` is the one function of a multi handle that may be called from any thread. It is called under
  /// the lock only, which the thread takes before it frees the handle: so the pointer is alive whenever it is used.
  private struct Wakeup: @unchecked Sendable {
    let multi: UnsafeMutableRawPointer
  }

  private struct State {
    var entries: [Entry] = []
    var wakeup: Wakeup?
    var isStarted = false
    /// What everyone is told from now on.
    var closing: TransportError?

    mutating func post(_ entry: Entry) {
      entries.append(entry)
      if entries.count == 1, let wakeup { clinic_curl_multi_wakeup(wakeup.multi) }
    }
  }

  private let state = Mutex(State())

  /// Hands an order over and wakes the thread.
  /// - Returns: why it was not taken, or whether the thread has yet to be started by this caller.
  func add(_ order: CurlOrder, _ continuation: Continuation) -> (refusal: TransportError?, startThread: Bool) {
    state.withLock { state in
      if let closing = state.closing { return (closing, false) }
      state.post(.add(order, continuation))
      defer { state.isStarted = true }
      return (nil, !state.isStarted)
    }
  }

  /// Asks for an order to be given up. One that is still to come is marked, and refused when it comes.
  func cancel(_ order: CurlOrder) {
    order.markCancelled()
    state.withLock { state in
      if state.isStarted, state.closing == nil { state.post(.cancel(order)) }
    }
  }

  /// Nothing is taken any more; the thread ends when it sees this.
  ///
  /// - Parameter error: what those are told who come later. The first one stands.
  func close(_ error: TransportError = .cancelled(sentNothing: true)) {
    state.withLock { state in
      state.closing = state.closing ?? error
      if let wakeup = state.wakeup { clinic_curl_multi_wakeup(wakeup.multi) }
    }
  }

  /// For the thread: what has come in since the last call.
  func take() -> (entries: [Entry], closing: TransportError?) {
    state.withLock { state in
      let entries = state.entries
      state.entries.removeAll(keepingCapacity: entries.count <= 64)
      return (entries, state.closing)
    }
  }

  /// For the thread: from now on, or until nil is given, posting wakes this handle.
  func wake(_ multi: UnsafeMutableRawPointer?) {
    let wakeup = multi.map(Wakeup.init)
    state.withLock { $0.wakeup = wakeup }
  }
}
