import Data
import Domain
import Foundation

/// How fast a queue is sent, against libcurl alone with the same requests, the same server and as many in flight.
struct DrainThroughput {
  let folder: String
  private let writes = 2_000
  private let rounds = 5

  init(folder: String) { self.folder = folder }

  func run() async throws {
    let server = try Child(.serve, "0")
    defer { server.end() }
    let url = server.line()
    let clock = ContinuousClock()
    var (ours, raw, settled): ([Double], [Double], Int) = ([], [], 0)
    for round in 0..<rounds {
      let clinic = try await Child.open("\(folder)/drain-\(round)", server: url)
      for number in 0..<writes { _ = try await clinic.patients.register(Interactive.patient("Drained \(number)")) }
      // Learning what the server can do is no part of it.
      _ = try await clinic.sync.sync(SyncOptions(pushes: false, pulls: false), progress: { _ in })
      let time = try await clock.measure {
        settled += try await clinic.sync.sync(SyncOptions(pulls: false), progress: { _ in }).types.map(\.sent).reduce(
          0, +)
      }
      await clinic.close()
      ours.append(Double(writes) / (time / .seconds(1)))
      let requests = (0..<writes).map {
        RawCurl.Request(url: "\(url)/Patient/raw-\(round)-\($0)", body: Self.body("raw-\(round)-\($0)"))
      }
      let alone = try clock.measure { try RawCurl.put(requests, inFlight: 32) }
      raw.append(Double(writes) / (alone / .seconds(1)))
    }
    print(
      "\nSending a queue (\(writes) creates, median of \(rounds) rounds; \(settled) of \(writes * rounds) were accepted):"
    )
    Table.begin("writes a second", "libcurl alone, nothing kept", "drained, each claimed and settled on disk", "ratio")
    Table.row(
      "PUT, 32 in flight, loopback", Table.number(raw.median), Table.number(ours.median),
      Table.ratio(ours.median / raw.median))
  }

  private static func body(_ id: String) -> [UInt8] {
    Array(
      #"{"resourceType":"Patient","id":"\#(id)","name":[{"family":"Drained 0","given":["Ada"]}],"telecom":[{"system":"phone","value":"020 7946 0000","use":"home"}]}"#
        .utf8)
  }
}
