import Domain
import JSON

/// Whether a server orders by time when it is asked to.
///
/// One that ignores `_sort` (hl7.org/fhir/R4/search.html#sort) lists rows that may be in that order by chance: going on
/// from a stamp would then pass over others. So the first row is asked for in both directions: it is the same where the
/// order is not looked at.
enum TimeOrder: Hashable, Sendable {
  case kept
  case notKept
  /// Not to be told: what the server answered instead.
  case unknown(FHIRAnswer)

  /// Asks, in two requests, about the rows that a pass lists.
  ///
  /// - Parameter page: one that seems to be in order: its rows lie between the two.
  static func ask(
    _ client: FHIRClient, _ kind: PullRequest.Kind, _ pass: PullPass, around page: BundlePage
  ) async throws(TransportError) -> TimeOrder {
    var rows: [(key: ResourceKey?, stamp: Instant)] = []
    for order in ["_lastUpdated", "-_lastUpdated"] {
      let target = PullRequest.target(
        kind, type: pass.type, filter: pass.query, order: order, count: 1, elements: "id,meta")
      let answer = try await client.readPage("\(client.base)/\(target)")
      guard answer.status == 200, let page = answer.document.flatMap(BundleReader.read) else { return .unknown(answer) }
      rows += StampedRows(page)?.rows.prefix(1) ?? []
    }
    guard rows.count == 2, let last = StampedRows(page)?.rows.last else { return .notKept }
    let isBetween = rows[0].stamp <= last.stamp && last.stamp <= rows[1].stamp
    return isBetween && rows[0].key != rows[1].key ? .kept : .notKept
  }
}
