internal import Dispatch

/// A `MockModel` behind a real socket, on 127.0.0.1 only.
public final class MockServer: Sendable {
  /// The version that the CapabilityStatement and the command report.
  public static let version = "0.1.0"

  /// What answers.
  public let model: MockModel
  /// The port that is listened on.
  public let port: UInt16
  /// The FHIR base, `http://127.0.0.1:PORT/fhir`.
  public var baseURL: String { "http://127.0.0.1:\(port)/fhir" }
  /// The control endpoints' base, `http://127.0.0.1:PORT/$mock`.
  public var controlURL: String { "http://127.0.0.1:\(port)/$mock" }

  private let listener: HTTPListener

  private init(model: MockModel, listener: HTTPListener) {
    self.model = model
    self.listener = listener
    port = listener.port
  }

  /// Starts to listen.
  /// - Parameters:
  ///   - port: 0 takes a free one.
  /// - Throws: `MockServerError` if the port cannot be had.
  public static func start(model: MockModel, port: UInt16 = 0) async throws(MockServerError) -> MockServer {
    try open(model: model, port: port)
  }

  /// Starts to listen; it does not block.
  package static func open(model: MockModel, port: UInt16) throws(MockServerError) -> MockServer {
    MockServer(model: model, listener: try HTTPListener(port: port) { model.answer($0) })
  }

  /// Ends every connection and stops listening. Requests under way are answered first, held-back answers are given up.
  public func stop() async {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        self.listener.stop()
        continuation.resume()
      }
    }
  }

  /// As `stop()`, for a caller that may block.
  package func close() { listener.stop() }
}

/// Why a server could not be started.
public struct MockServerError: Error, Sendable, CustomStringConvertible {
  /// What happened.
  public var message: String
  public var description: String { message }
}
