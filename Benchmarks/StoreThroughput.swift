import Data
import Domain
import Foundation

/// How fast writes become durable, against SQLite's C API with as many rows, as many bytes and the same durability.
struct StoreThroughput {
  let folder: String
  private let writes = 500
  private let rounds = 7

  init(folder: String) { self.folder = folder }

  func run() async throws {
    let clock = ContinuousClock()
    let clinic = try await Child.open("\(folder)/store", server: nil)
    let raw = try RawSQLite(path: "\(folder)/raw.sqlite")
    var (ours, alone): ([Double], [Double]) = ([], [])
    for round in 0...rounds {
      let time = try await clock.measure {
        for number in 0..<writes { _ = try await clinic.patients.register(Interactive.patient("Kept \(number)")) }
      }
      let limit = try clock.measure {
        for number in 0..<writes { try raw.write(round * writes + number) }
      }
      // The first round warms up.
      guard round > 0 else { continue }
      ours.append(Double(writes) / (time / .seconds(1)))
      alone.append(Double(writes) / (limit / .seconds(1)))
    }
    await clinic.close()
    print("\nWriting, one durable transaction a write (\(writes) writes, median of \(rounds) rounds):")
    Table.begin("writes a second", "SQLite's C API, the same rows", "a registration", "ratio")
    Table.row(
      "synchronous=FULL, WAL", Table.number(alone.median), Table.number(ours.median),
      Table.ratio(ours.median / alone.median))
  }
}
