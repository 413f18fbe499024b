import Data
import Foundation
import JSON
import Synchronization
import TestSupport

/// A server whose search runs anew for every page of two rows, in the order of their stamps: while rows are changed, others
/// move between its pages.
final class ShiftingServer: Sendable {
  struct Row: Sendable {
    var id: String
    /// The stamp, in seconds of one minute.
    var second: Int
    var version = 1
  }

  private struct State {
    var rows: [Row]
    var linksLast = true
    var expired: Set<String> = []
    var changed: Set<String> = []
    var whenShown: @Sendable ([String]) -> String? = { _ in nil }
    var whenListed: @Sendable () -> Row? = { nil }
  }

  private let state: Mutex<State>

  init(rows: [Row]) { state = Mutex(State(rows: rows)) }

  /// Whether links live on; else each leads nowhere the first time.
  var linksLast: Bool {
    get { state.withLock { $0.linksLast } }
    set { state.withLock { $0.linksLast = newValue } }
  }

  /// Names a row, of those that a page shows, that is changed as soon as the page left; each once.
  func whenShown(_ body: @escaping @Sendable ([String]) -> String?) { state.withLock { $0.whenShown = body } }

  /// Makes a row that is there as soon as a page left.
  func whenListed(_ body: @escaping @Sendable () -> Row?) { state.withLock { $0.whenListed = body } }

  /// The answer to a question about patients; `nil` for any other.
  func page(_ target: String) -> HTTPResponse? {
    guard target.hasPrefix("Patient?") || target.contains("p=") else { return nil }
    return state.withLock { state in
      if let range = target.range(of: "_id=") {
        let ids = target[range.upperBound...].prefix { $0 != "&" }.replacing("%2C", with: ",").split(separator: ",")
        return .page(state.rows.filter { ids.contains($0.id[...]) }.map(Self.entry))
      }
      if target.contains("p="), !state.linksLast, state.expired.insert(target).inserted { return .answer(410) }
      let since = Self.number(in: target, behind: "09%3A00%3A") ?? Self.number(in: target, behind: "09:00:") ?? 0
      let offset = Self.number(in: target, behind: "p=") ?? 0
      let found = state.rows.filter { $0.second >= since }.sorted { ($0.second, $0.id) < ($1.second, $1.id) }
      let shown = Array(found.dropFirst(offset).prefix(2))
      let isLast = offset + 2 >= found.count
      let link = "?p=\(offset + 2)&from=09:00:\(since / 10)\(since % 10)"
      if let id = state.whenShown(shown.map(\.id)), state.changed.insert(id).inserted,
        let index = state.rows.firstIndex(where: { $0.id == id })
      {
        state.rows[index].second = 50
        state.rows[index].version += 1
      }
      if let row = state.whenListed() { state.rows.insert(row, at: 0) }
      return .page(shown.map(Self.entry), next: isLast ? nil : link)
    }
  }

  private static func entry(_ row: Row) -> JSONValue {
    PagedServer.patient(row.id, row.second, version: "\(row.version)", phone: "\(row.version)")
  }

  private static func number(in text: String, behind mark: String) -> Int? {
    guard let range = text.range(of: mark) else { return nil }
    return Int(text[range.upperBound...].prefix { $0.isNumber })
  }
}
