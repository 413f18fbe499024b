import Synchronization

/// How many bytes of documents went over the wire, both ways; heads, which are small, do not count.
package final class ByteMeter: Sendable {
  private let bytes = Atomic<Int>(0)

  package init() {}

  /// The bytes so far.
  package var count: Int { bytes.load(ordering: .relaxed) }

  func add(_ count: Int) { bytes.add(count, ordering: .relaxed) }
}

/// Counts what goes through a transport.
package struct MeteredTransport: HTTPTransport {
  let base: any HTTPTransport
  let meter: ByteMeter

  package init(base: any HTTPTransport, meter: ByteMeter) {
    self.base = base
    self.meter = meter
  }

  package func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    meter.add(request.body?.count ?? 0)
    let response = try await base.send(request)
    meter.add(response.body.count)
    return response
  }
}
