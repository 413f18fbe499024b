import Domain

extension Puller {
  /// Whether the server orders what a pass lists; or why that is not known, and the pass ends.
  func order(
    of pass: PullPass, _ kind: PullRequest.Kind, around page: BundlePage, _ result: inout Result
  ) async throws(AppError) -> (isKept: Bool, failure: Failure?) {
    var order: TimeOrder
    do throws(TransportError) {
      order = try await TimeOrder.ask(client, kind, pass, around: page)
      // A single failure of the server tells nothing.
      if case .unknown(let answer) = order, answer.status == 500 {
        order = try await TimeOrder.ask(client, kind, pass, around: page)
      }
    } catch { return (false, try await failed(pass, error)) }
    guard case .unknown(let answer) = order else { return (order == .kept, nil) }
    let failure = try await store.failure(answer, of: pass.type)
    let isRefused = if case .unavailable = failure { true } else { false }
    guard isRefused || answer.status == 500 && !answer.looksLikeAnotherServer else {
      return (false, try await refused(pass, answer))
    }
    result.warnings.append("\(pass.type): the server does not tell whether it orders by time; its links are followed")
    return (false, nil)
  }
}
