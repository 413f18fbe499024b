import CCurl

/// The transport's thread: it owns libcurl's multi handle and every transfer. Nothing of it is shared.
struct CurlLoop {
  private let mailbox: CurlMailbox
  private let configuration: CurlConfiguration
  private let multi: UnsafeMutableRawPointer
  private var live: [UnsafeMutableRawPointer: Live] = [:]
  private var handles: [ObjectIdentifier: UnsafeMutableRawPointer] = [:]

  private struct Live {
    let transfer: CurlTransfer
    let continuation: CurlMailbox.Continuation
  }

  /// Runs until the mailbox is closed. Whoever still waits then is told why.
  static func run(_ mailbox: CurlMailbox, _ configuration: CurlConfiguration) {
    defer { refuseRest(mailbox) }
    if let failure = clinic_curl_load() { return mailbox.close(.noLibrary(String(cString: failure))) }
    clinic_curl_global_init(Int(CURL_GLOBAL_DEFAULT))
    guard let multi = clinic_curl_multi_init() else { return mailbox.close(.noLibrary("it cannot start")) }
    clinic_curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, max(1, configuration.idleConnections))
    mailbox.wake(multi)
    var loop = CurlLoop(mailbox: mailbox, configuration: configuration, multi: multi)
    loop.run()
    mailbox.wake(nil)
    clinic_curl_multi_cleanup(multi)
  }

  private init(mailbox: CurlMailbox, configuration: CurlConfiguration, multi: UnsafeMutableRawPointer) {
    self.mailbox = mailbox
    self.configuration = configuration
    self.multi = multi
  }

  private mutating func run() {
    while true {
      let (entries, closing) = mailbox.take()
      for entry in entries { handle(entry) }
      if closing != nil { break }
      var running: Int32 = 0
      guard clinic_curl_multi_perform(multi, &running) == CURLM_OK else { break }
      finishEnded()
      let wait = stopStalled()
      guard clinic_curl_multi_poll(multi, wait) == CURLM_OK else { break }
    }
    mailbox.close()
    for handle in Array(live.keys) {
      finish(handle) { .failure(.cancelled(sentNothing: !$0.began)) }
    }
  }

  private mutating func handle(_ entry: CurlMailbox.Entry) {
    switch entry {
    case .add(let order, let continuation): add(order, continuation)
    case .cancel(let order):
      guard let handle = handles[ObjectIdentifier(order)] else { return }  // not here yet, or already answered
      finish(handle) { .failure(.cancelled(sentNothing: !$0.began)) }
    }
  }

  private mutating func add(_ order: CurlOrder, _ continuation: CurlMailbox.Continuation) {
    guard !order.isCancelled else { return continuation.resume(returning: .failure(.cancelled(sentNothing: true))) }
    guard let transfer = CurlTransfer(order, configuration: configuration),
      clinic_curl_multi_add_handle(multi, transfer.easy) == CURLM_OK
    else {
      let failure = CurlFailure(code: CURLE_FAILED_INIT, began: false).error(for: order.origin)
      return continuation.resume(returning: .failure(failure))
    }
    live[transfer.easy] = Live(transfer: transfer, continuation: continuation)
    handles[ObjectIdentifier(order)] = transfer.easy
  }

  private mutating func finishEnded() {
    var left: Int32 = 0
    while let message = clinic_curl_multi_info_read(multi, &left) {
      guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle else { continue }
      let code = clinic_curl_message_result(message)  // the message is gone once its handle is removed
      finish(handle) { $0.result(code) }
    }
  }

  /// Ends what has not moved for too long.
  /// - Returns: how long to wait, in milliseconds, before the next look.
  private mutating func stopStalled() -> Int32 {
    guard !live.isEmpty else { return Self.idleWait }
    let now = SuspendingClock.now
    var wait = Duration.milliseconds(Self.busyWait)
    for (handle, entry) in live {
      guard let deadline = entry.transfer.stallDeadline() else { continue }
      if deadline <= now {
        finish(handle) { .failure(.stalled($0.order.origin)) }
      } else {
        wait = min(wait, deadline - now)
      }
    }
    return Int32(wait.wholeMilliseconds)
  }

  private mutating func finish(
    _ handle: UnsafeMutableRawPointer, _ result: (CurlTransfer) -> Result<HTTPResponse, TransportError>
  ) {
    guard let entry = live.removeValue(forKey: handle) else { return }
    handles[ObjectIdentifier(entry.transfer.order)] = nil
    let result = result(entry.transfer)
    clinic_curl_multi_remove_handle(multi, handle)
    entry.continuation.resume(returning: result)
  }

  /// Answers those whose orders came in while the loop ended; the mailbox is closed, so no more follow.
  private static func refuseRest(_ mailbox: CurlMailbox) {
    let (entries, closing) = mailbox.take()
    for case .add(_, let continuation) in entries {
      continuation.resume(returning: .failure(closing ?? .cancelled(sentNothing: true)))
    }
  }

  /// libcurl shortens both to its own timers; new commands end the wait.
  private static let busyWait = 1000
  private static let idleWait: Int32 = 60_000
}
