import Data
import Domain
import JSON
import Synchronization
import TestSupport

/// A server that ignores `_sort`: it lists its rows by id, two a page, each page as things stand when it is asked for.
final class UnorderedServer: Sendable {
  private struct State {
    /// The rows by id, with their stamps.
    var rows: [String: Instant] = [:]
    var versions: [String: Int] = [:]
    /// Some time of the 30th of November 2026.
    var now = Instant(secondsSince1970: 1_796_000_400)
    var isDown = false
    var beforePage: (@Sendable (UnorderedServer) -> Void)?
  }

  private let state = Mutex(State())
  private let stamps: Bool
  private let tellsTime: Bool

  /// - Parameters:
  ///   - stamps: whether rows carry their stamps.
  ///   - tellsTime: whether answers have a `Date`.
  init(stamps: Bool = true, tellsTime: Bool = true) {
    self.stamps = stamps
    self.tellsTime = tellsTime
  }

  /// Makes a row, or changes it.
  func write(_ id: String) {
    state.withLock { state in
      state.rows[id] = state.now
      state.versions[id, default: 0] += 1
    }
  }

  func advance(seconds: Int64) {
    state.withLock { $0.now = Instant(secondsSince1970: $0.now.secondsSince1970 + seconds) }
  }

  /// Whether pages behind the first are answered with 503.
  var isDown: Bool {
    get { state.withLock { $0.isDown } }
    set { state.withLock { $0.isDown = newValue } }
  }

  /// What happens before the next page behind the first is made.
  func beforeNextPage(_ body: @escaping @Sendable (UnorderedServer) -> Void) {
    state.withLock { $0.beforePage = body }
  }

  var versions: [String: String] { state.withLock { $0.versions.mapValues(String.init) } }

  /// The answer to a question about patients; `nil` for any other.
  func page(_ target: String) -> HTTPResponse? {
    let place = target.split(separator: "p=").dropFirst().first.flatMap { Int($0.prefix { $0.isNumber }) }
    guard target.hasPrefix("Patient?") || place != nil else { return nil }
    if place != nil {
      if isDown { return .answer(503) }
      let happens = state.withLock { state in
        defer { state.beforePage = nil }
        return state.beforePage
      }
      happens?(self)
    }
    return state.withLock { state in
      let since = target.split(separator: "ge").dropFirst().first
        .flatMap { Instant(String($0.prefix { $0 != "&" }).replacing("%3A", with: ":")) }
      let found = state.rows.filter { row in since.map { row.value >= $0 } ?? true }.keys.sorted()
      let first = place ?? 0
      let time = state.now.utcText.dropFirst(11).prefix(8)
      let headers = tellsTime ? [("Date", "Mon, 30 Nov 2026 \(time) GMT")] : []
      let rows = found.dropFirst(first).prefix(2).map { id in
        var meta: JSONValue = ["versionId": .string("\(state.versions[id] ?? 1)")]
        if stamps, let stamp = state.rows[id] { meta["lastUpdated"] = .string(stamp.utcText) }
        let resource: JSONValue = [
          "resourceType": "Patient", "id": .string(id), "meta": meta,
          "telecom": [["system": "phone", "use": "home", "value": .string("\(state.versions[id] ?? 1)")]],
        ]
        return ["resource": resource, "search": ["mode": "match"]] as JSONValue
      }
      let link = since.map { "?p=\(first + 2)&from=ge\($0.utcText)" } ?? "?p=\(first + 2)"
      return .page(Array(rows), next: first + 2 < found.count ? link : nil, headers: headers)
    }
  }
}
