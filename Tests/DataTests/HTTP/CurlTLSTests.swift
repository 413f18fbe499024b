import Foundation
import TestSupport
import Testing

@testable import Data

/// Certificates are checked: against `openssl s_server`, with a certificate made for the test.
@Suite(
  "CurlTransport over TLS", .timeLimit(.minutes(10)), .enabled(if: TLSServer.isAvailable, "needs the openssl command"))
struct CurlTLSTests {
  private func send(_ url: String, trusting file: String?) async -> Result<Int, TransportError> {
    do {
      let transport = CurlTransport(configuration: CurlConfiguration(certificateAuthorityFile: file))
      return .success(try await transport.send(HTTPRequest(method: .get, url: url)).status)
    } catch {
      return .failure(error)
    }
  }

  @Test(
    "An unknown certificate is refused before anything is sent, and accepted from a given authority; names must match")
  func certificates() async throws {
    let server = try await TLSServer()
    defer { server.stop() }
    let unknown = await send("https://localhost:\(server.port)/", trusting: nil)
    let known = await send("https://localhost:\(server.port)/", trusting: server.certificate)
    let otherName = await send("https://127.0.0.1:\(server.port)/", trusting: server.certificate)
    let noFile = await send("https://localhost:\(server.port)/", trusting: server.certificate + ".missing")
    #expect(known == .success(200))
    for refused in [unknown, otherName, noFile] {
      guard case .failure(let error) = refused else {
        Issue.record("accepted")
        continue
      }
      #expect(error.kind == .tls && error.sentNothing)
    }
  }
}

/// `openssl s_server` on a free port of 127.0.0.1, with a certificate of its own for `localhost`.
private final class TLSServer {
  static let openssl = "/usr/bin/openssl"
  static var isAvailable: Bool { FileManager.default.isExecutableFile(atPath: openssl) }

  let port: UInt16
  let certificate: String
  private let folder: URL
  private let program: Program

  init() async throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("tls-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    certificate = folder.appendingPathComponent("certificate.pem").path
    let key = folder.appendingPathComponent("key.pem").path
    let making = try await Self.start(
      [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj",
        "/CN=localhost",
      ]
        + ["-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate]
    ).finished()
    try #require(making.status == 0, "\(making)")
    program = try Self.start(["s_server", "-accept", "127.0.0.1:0", "-cert", certificate, "-key", key, "-www"])
    // It says "ACCEPT 127.0.0.1:PORT" once it listens.
    let listens = await eventually { [program] in program.outputSoFar.contains(/ACCEPT [^\n]*\n/) }
    try #require(listens, "\(program.outputSoFar)")
    port = try #require(
      program.outputSoFar.split(whereSeparator: { $0 == ":" || $0.isNewline }).compactMap { UInt16($0) }.last)
  }

  private static func start(_ arguments: [String]) throws -> Program {
    try Program.start(Program.Launch(path: openssl, arguments: arguments, limit: .seconds(500)))
  }

  func stop() {
    program.send(SIGTERM)
    try? FileManager.default.removeItem(at: folder)
  }
}
