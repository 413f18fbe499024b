/// HTTP by libcurl's multi interface on one thread of its own.
///
/// Connections are kept and reused; reads use HTTP/2 where a TLS server offers it, writes stay on HTTP/1.1 and are never
/// sent a second time by libcurl itself. Certificates are always verified. Redirects are answers like any other. A proxy
/// comes from the environment as for curl, but never for loopback.
///
/// The thread starts with the first request, which also loads libcurl, and ends with ``shutdown()``, or when the transport is released.
package final class CurlTransport: HTTPTransport {
  private let configuration: CurlConfiguration
  private let mailbox = CurlMailbox()

  package init(configuration: CurlConfiguration = CurlConfiguration()) {
    self.configuration = configuration
  }

  deinit { mailbox.close() }

  /// Ends the thread. Requests in flight, and later ones, fail with `cancelled`. Does not wait.
  package func shutdown() { mailbox.close() }

  package func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    let order = CurlOrder(request: request, origin: try configuration.check(request))
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let (refusal, startThread) = mailbox.add(order, continuation)
        if startThread { start() }
        if let refusal { continuation.resume(returning: .failure(refusal)) }
      }
    } onCancel: {
      mailbox.cancel(order)
    }
    return try result.get()
  }

  private func start() {
    let (mailbox, configuration) = (mailbox, configuration)
    DedicatedThread.start(name: "clinic-http") { CurlLoop.run(mailbox, configuration) }
  }
}
