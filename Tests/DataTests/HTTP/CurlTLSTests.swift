import Foundation
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
    let server = try TLSServer()
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
  private let process = Process()

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("tls-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    certificate = folder.appendingPathComponent("certificate.pem").path
    let key = folder.appendingPathComponent("key.pem").path
    let making = Process()
    making.executableURL = URL(fileURLWithPath: Self.openssl)
    making.arguments =
      [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj",
        "/CN=localhost",
      ]
      + ["-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate]
    making.standardError = FileHandle.nullDevice
    try making.run()
    making.waitUntilExit()

    let output = Pipe()
    process.executableURL = making.executableURL
    process.arguments = ["s_server", "-accept", "127.0.0.1:0", "-cert", certificate, "-key", key, "-www"]
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try process.run()
    // It says "ACCEPT 127.0.0.1:PORT" once it listens.
    var said = ""
    while !said.hasSuffix("\n") || !said.contains("ACCEPT ") {
      let piece = output.fileHandleForReading.availableData
      guard !piece.isEmpty else { throw CocoaError(.fileReadUnknown) }
      said += String(decoding: piece, as: UTF8.self)
    }
    port = try #require(said.split(whereSeparator: { $0 == ":" || $0.isNewline }).compactMap { UInt16($0) }.last)
  }

  func stop() {
    process.terminate()
    try? FileManager.default.removeItem(at: folder)
  }
}
