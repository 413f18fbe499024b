import Domain
import JSON

/// Pulls what changed at the server, scope by scope, page by page. Memory stays flat; a pass goes on where it was cut.
struct Puller: Sendable {
  let store: Store
  let client: FHIRClient
  /// Called after every page with the type, what was received so far and the server's claim of the total.
  let progress: @Sendable (String, Int, Int?) -> Void

  /// How often one run starts a pass anew, after its links expired or went round in circles.
  static let maximumRestarts = 3

  /// What the pull of one type did.
  struct Result: Sendable {
    var received = 0
    var changed = 0
    var deleted = 0
    var warnings: [String] = []
    /// Why it ended early; nothing for a complete pass.
    var failure: Failure?
  }

  /// Why a pull ended early.
  enum Failure: Hashable, Sendable {
    /// The whole run should stop.
    case halt(Engine.Halt)
    /// This type cannot be pulled, others may.
    case unavailable(String)
    /// There was no time left.
    case stopped
  }

  private enum PassEnd {
    case complete(wasResumed: Bool)
    case restart(String)
    case failed(Failure)
  }

  /// Pulls one type.
  ///
  /// - Parameter mayGoOn: asked before every page.
  func pull(type: String, mayGoOn: @Sendable () -> Bool) async throws(AppError) -> Result {
    var result = Result()
    var restarts = 0
    while true {
      switch try await pass(type: type, &result, mayGoOn: mayGoOn) {
      case .complete(let wasResumed):
        // A history lists the newest first: one that was cut ends without what changed since.
        guard wasResumed else { return result }
      case .failed(let failure):
        result.failure = failure
        return result
      case .restart(let reason):
        restarts += 1
        guard restarts > Self.maximumRestarts else { continue }
        result.failure = .unavailable("\(type) was not pulled to its end: \(reason), again and again")
        return result
      }
    }
  }

  private func pass(type: String, _ result: inout Result, mayGoOn: @Sendable () -> Bool)
    async throws(AppError) -> PassEnd
  {
    let (stored, knowledge, known) = try await store.read { transaction throws(AppError) in
      let scope = try transaction.scope(type: type)
      return (scope, try transaction.serverKnowledge(), try transaction.membersSeen(in: scope))
    }
    let kind = PullRequest.Kind(watermark: stored.watermark, type: type, server: knowledge)
    let isResumed = stored.cursor != nil
    let number = isResumed ? stored.pass : stored.pass + 1
    var url = stored.cursor ?? "\(client.base)/\(PullRequest.target(kind, type: type))"
    var visited: Set<String> = []
    // A history lists older versions later: what an earlier part of this pass has taken must not be taken back.
    var seen = isResumed && kind.isHistory ? known : []
    var serverTime: Instant?
    while true {
      guard mayGoOn(), !Task.isCancelled else { return .failed(.stopped) }
      guard visited.insert(url).inserted else {
        try await restart(type)
        return .restart("the server's page links go round in circles")
      }
      let asked = try await store.read { transaction throws(AppError) in try transaction.readMark() }
      let answer: FHIRAnswer
      do throws(TransportError) { answer = try await client.readPage(url) } catch {
        return .failed(try await failed(type, error))
      }
      guard answer.status == 200, answer.resourceType == "Bundle", let document = answer.document,
        let page = BundleReader.read(document)
      else {
        if isResumed || visited.count > 1, [400, 404, 410].contains(answer.status), !answer.looksLikeAnotherServer {
          try await restart(type)
          return .restart("the server's page links expired")
        }
        return .failed(try await refused(type, answer))
      }
      if serverTime == nil { serverTime = answer.dateSeconds.map { Instant(secondsSince1970: $0) } }
      let next = page.nextLink.map { LinkResolver.resolve($0, against: url) ?? "" }
      if let next, !Origin.sameOrigin(next, client.base) {
        return .failed(
          .halt(.notFHIR(AppError(.notFHIR, "a page of \(type) leads to another server, where nothing is sent"))))
      }
      let commit = PageCommit(page: page, kind: kind, next: next, asked: asked, seen: seen, serverTime: serverTime)
      let applied = try await store.write(durability: .normal) { transaction throws(AppError) in
        var scope = try transaction.scope(type: type)
        scope.pass = number
        return try commit.apply(to: scope, transaction)
      }
      FailPoint.pageCommitted.pass()
      result.received += applied.received
      result.changed += applied.changed
      result.deleted += applied.deleted
      result.warnings += applied.warnings.map { "\(type): \($0)" }
      progress(type, result.received, page.total)
      guard !applied.isComplete, let next else { return .complete(wasResumed: isResumed) }
      // Only a history lists one resource twice on purpose; a search need not be remembered.
      if kind.isHistory { seen = applied.seen }
      url = next
    }
  }

  private func restart(_ type: String) async throws(AppError) {
    try await store.write(durability: .normal) { transaction throws(AppError) in
      var scope = try transaction.scope(type: type)
      scope.cursor = nil
      scope.passWatermark = nil
      try transaction.store(scope)
    }
  }

  private func failed(_ type: String, _ error: TransportError) async throws(AppError) -> Failure {
    let appError = AppError(error)
    try await note(type, appError.message)
    return error.kind == .cancelled ? .stopped : .halt(error.kind == .noToken ? .signIn : .unreachable(appError))
  }

  private func refused(_ type: String, _ answer: FHIRAnswer) async throws(AppError) -> Failure {
    let words = ServerWords.describe(answer)
    try await note(type, words)
    if let halt = ServerWords.halt(answer) { return .halt(halt) }
    if answer.status == 429 || answer.status == 503, let pause = answer.retryAfter {
      let until = store.effects.clock.now().milliseconds + min(pause.milliseconds, Throttle.longest)
      try await store.write { transaction throws(AppError) in try transaction.throttle(until: until) }
      return .halt(.throttled(until: until))
    }
    if answer.status >= 500 || answer.status == 429 || answer.status == 408 {
      return .halt(.unreachable(AppError(.serverFailure, words, hint: "sync again later")))
    }
    if (200...299).contains(answer.status) {
      return .halt(.notFHIR(AppError(.notFHIR, words, hint: "check the address of the server")))
    }
    return .unavailable("\(type) was not pulled: \(words)")
  }

  private func note(_ type: String, _ error: String) async throws(AppError) {
    try await store.write(durability: .normal, evenIfCancelled: true) { transaction throws(AppError) in
      var scope = try transaction.scope(type: type)
      scope.error = error
      try transaction.store(scope)
    }
  }
}
