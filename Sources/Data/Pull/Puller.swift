import Domain
import JSON

/// Pulls what changed at the server, scope by scope, page by page. Memory stays flat; a pass goes on where it was cut.
struct Puller: Sendable {
  let store: Store
  let client: FHIRClient
  /// Called after every page with the type, what was received so far and the server's claim of the total.
  let progress: @Sendable (String, Int, Int?) -> Void
  /// Whether the time or the bytes are limited: then a pass that is cut goes on behind its last page, also by a link.
  var isBudgeted = false

  /// How often one run goes back to the same place, after its links expired or went round in circles.
  static let maximumRestarts = 3

  /// What the pull of one type did.
  struct Result: Sendable {
    var received = 0
    var changed = 0
    var deleted = 0
    var warnings: [String] = []
    /// Why it ended early; nothing for a complete pass.
    var failure: Failure?

    /// Adds what another pass over the same type did.
    mutating func add(_ other: Result) {
      received += other.received
      changed += other.changed
      deleted += other.deleted
      warnings += other.warnings.filter { !warnings.contains($0) }
      failure = other.failure
    }
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
    case broken(BrokenLinks)
    case failed(Failure)
  }

  /// Links that expired, or went round in circles.
  private struct BrokenLinks {
    var reason: String
    /// From where on the pass goes; `nil` where it begins anew.
    var place: String?
    var isHistory: Bool
    var turns: [Int64]
  }

  /// Makes one pass; for a window of time, what has left it is looked after too.
  ///
  /// - Parameter mayGoOn: asked before every page.
  func pull(_ pass: PullPass, mayGoOn: @Sendable () -> Bool) async throws(AppError) -> Result {
    var result = try await list(pass, mayGoOn: mayGoOn)
    guard result.failure == nil, let window = pass.scopes.first, window.isWindow else { return result }
    let (scope, unseen) = try await store.read { transaction throws(AppError) in
      let scope = try transaction.scope(window)
      return (scope, try transaction.membersUnseen(in: scope))
    }
    let recheck = Recheck(store: store, client: client)
    result.add(try await recheck.run(unseen, leaving: scope, mayGoOn: mayGoOn))
    return result
  }

  private func list(_ pass: PullPass, mayGoOn: @Sendable () -> Bool) async throws(AppError) -> Result {
    let type = pass.type
    var result = Result()
    var restarts = 0
    var place: String?
    var asksForHistory = true
    var isOrdered: Bool?
    while true {
      switch try await run(pass, asksForHistory: asksForHistory, &isOrdered, &result, mayGoOn: mayGoOn) {
      case .complete(let wasResumed):
        // A pass that went on by a link ends without what changed since it was cut: a history lists the newest first, and
        // pages may all be of the moment at which it began.
        guard wasResumed else { return result }
      case .failed(let failure):
        result.failure = failure
        return result
      case .broken(let links):
        // A pass that comes further each time may go on.
        restarts = links.place != nil && links.place != place ? 1 : restarts + 1
        place = links.place
        if links.isHistory, restarts > 1 {
          // A search goes on from the stamp that it has reached: it needs no link that lives long.
          asksForHistory = false
          restarts = 0
          result.warnings.append(
            "\(type): the links of its history do not last; its changes are searched for, and deletions are found by the "
              + "daily look")
        }
        guard restarts > Self.maximumRestarts else { continue }
        try await restart(pass, links.turns)
        result.failure = .unavailable("\(type) was not pulled to its end: \(links.reason), again and again")
        return result
      }
    }
  }

  private func run(
    _ pass: PullPass, asksForHistory: Bool, _ isOrdered: inout Bool?, _ result: inout Result,
    mayGoOn: @Sendable () -> Bool
  ) async throws(AppError) -> PassEnd {
    let type = pass.type
    let (scopes, knowledge, known) = try await store.write(durability: .normal) { transaction throws(AppError) in
      var scopes = try transaction.scopes(of: pass)
      // From here on the cursors are this pull's, also if an earlier one still runs.
      for index in scopes.indices {
        scopes[index].turn += 1
        try transaction.store(scopes[index])
      }
      return (scopes, try transaction.serverKnowledge(), try transaction.membersSeen(in: scopes[0]))
    }
    let turns = scopes.map(\.turn)
    // What several patients' scopes lack together is what the one that was pulled longest ago lacks.
    let watermark = scopes.contains { $0.watermark == nil } ? nil : scopes.compactMap(\.watermark).min()
    let kind = PullRequest.Kind(
      watermark: watermark, type: type, isWhole: pass.isWhole && asksForHistory, server: knowledge)
    let cursor = pass.isResumable ? scopes[0].cursor : nil
    let isResumed = cursor != nil
    // A question is answered as of now; a link may lead to pages of the moment at which the pass began.
    let isResumedByLink =
      cursor.map { !PullRequest.isQuestion($0, base: client.base, type: type, filter: pass.query) } ?? false
    let numbers = scopes.map { isResumed ? $0.pass : $0.pass + 1 }
    let patients = pass.scopes.count > 1 ? Self.places(pass.scopes) : [:]
    var url = cursor ?? "\(client.base)/\(PullRequest.target(kind, type: type, filter: pass.query))"
    var walk = PageWalk(base: client.base, type: type, filter: pass.query, kind: kind)
    walk.isOrdered = isOrdered
    // A history lists older versions later: what an earlier part of this pass has taken must not be taken back.
    var seen = isResumed && kind.isHistory ? known : []
    var began: Instant?
    var isLinked = false
    while true {
      guard mayGoOn(), !Task.isCancelled else { return .failed(.stopped) }
      guard walk.visit(url) else {
        return .broken(try await broken("the server's page links go round in circles", walk, kind, pass, turns))
      }
      let asked = try await store.read { transaction throws(AppError) in try transaction.readMark() }
      let answer: FHIRAnswer
      do throws(TransportError) { answer = try await client.readPage(url) } catch {
        return .failed(try await failed(pass, error))
      }
      guard answer.status == 200, answer.resourceType == "Bundle", let document = answer.document,
        let page = BundleReader.read(document)
      else {
        if isResumed || walk.isUnderWay, [400, 404, 410].contains(answer.status), !answer.looksLikeAnotherServer {
          return .broken(try await broken("the server's page links expired", walk, kind, pass, turns))
        }
        return .failed(try await refused(pass, answer))
      }
      if !isResumed, !walk.isUnderWay { began = answer.dateSeconds.map { Instant(secondsSince1970: $0) } }
      let link = page.nextLink.map { LinkResolver.resolve($0, against: url) ?? "" }
      if let link, !Origin.sameOrigin(link, client.base) {
        return .failed(
          .halt(.notFHIR(AppError(.notFHIR, "a page of \(type) leads to another server, where nothing is sent"))))
      }
      let isRepeat = walk.isRepeating
      let next = walk.next(after: page, at: url, link: link)
      let commit = PageCommit(
        page: page, kind: kind, next: next, resumption: isBudgeted && !walk.isUnsure ? next : walk.resumption ?? next,
        asked: asked, seen: seen, isRepeat: isRepeat, began: began,
        trust: isResumedByLink ? .nothing : !isLinked ? .everything : began.map(StampTrust.until) ?? .nothing,
        patients: patients)
      let applied = try await store.write(durability: .normal) { transaction throws(AppError) in
        var scopes = try transaction.scopes(of: pass)
        for index in scopes.indices { scopes[index].pass = numbers[index] }
        return try commit.apply(to: scopes, turns: turns, transaction)
      }
      FailPoint.pageCommitted.pass()
      // The log of a long pull stays as short as that of everyday work.
      try await store.checkpointIfLarge()
      result.received += applied.received
      result.changed += applied.changed
      result.deleted += applied.deleted
      result.warnings += applied.warnings.map { "\(type): \($0)" }
      progress(type, result.received, page.total)
      guard !applied.isComplete, var next else { return .complete(wasResumed: isResumedByLink) }
      if walk.isUnsure {
        // Also where there is no time left: else a pass that may read one page at a time would never come further.
        let order = try await order(of: pass, kind, around: page, &result)
        if let failure = order.failure { return .failed(failure) }
        isOrdered = order.isKept
        walk.isOrdered = isOrdered
        next = walk.next(after: page, at: url, link: link) ?? next
        try await move(pass, turns, to: isBudgeted ? next : walk.resumption ?? next)
      }
      seen = applied.seen
      isLinked = !PullRequest.isQuestion(next, base: client.base, type: type, filter: pass.query)
      url = next
    }
  }

  /// Where in a list of scopes each patient's stands.
  private static func places(_ scopes: [PullScope]) -> [String: Int] {
    var places: [String: Int] = [:]
    for (index, scope) in scopes.enumerated() { if let patient = scope.patient { places[patient] = index } }
    return places
  }

  /// What becomes of a pass whose links do not lead on: it goes back to the last place that needs none, or begins anew.
  private func broken(
    _ reason: String, _ walk: PageWalk, _ kind: PullRequest.Kind, _ pass: PullPass, _ turns: [Int64]
  ) async throws(AppError) -> BrokenLinks {
    let place = pass.isResumable && !isBudgeted ? walk.resumption : nil
    if place == nil { try await restart(pass, turns) }
    return BrokenLinks(reason: reason, place: place, isHistory: kind.isHistory, turns: turns)
  }

  /// Moves the place at which a pass that is cut goes on.
  private func move(_ pass: PullPass, _ turns: [Int64], to place: String) async throws(AppError) {
    guard pass.isResumable else { return }
    try await change(pass) { scope, index in
      if scope.turn == turns[index] { scope.cursor = place }
    }
  }

  private func restart(_ pass: PullPass, _ turns: [Int64]) async throws(AppError) {
    try await change(pass) { scope, index in
      guard scope.turn == turns[index] else { return }
      scope.cursor = nil
      scope.passWatermark = nil
    }
  }

  private func change(
    _ pass: PullPass, evenIfCancelled: Bool = false, _ change: @Sendable (inout ScopeRecord, Int) -> Void
  ) async throws(AppError) {
    try await store.write(durability: .normal, evenIfCancelled: evenIfCancelled) { transaction throws(AppError) in
      for (index, var scope) in try transaction.scopes(of: pass).enumerated() {
        change(&scope, index)
        try transaction.store(scope)
      }
    }
  }

  func failed(_ pass: PullPass, _ error: TransportError) async throws(AppError) -> Failure {
    let failure = Failure(error)
    try await change(pass, evenIfCancelled: true) { scope, _ in scope.error = AppError(error).message }
    return failure
  }

  func refused(_ pass: PullPass, _ answer: FHIRAnswer) async throws(AppError) -> Failure {
    let words = ServerWords.describe(answer)
    try await change(pass, evenIfCancelled: true) { scope, _ in scope.error = words }
    return try await store.failure(answer, of: pass.type)
  }
}

extension Puller.Failure {
  init(_ error: TransportError) {
    self = error.kind == .cancelled ? .stopped : .halt(error.kind == .noToken ? .signIn : .unreachable(AppError(error)))
  }
}

extension Store {
  /// What an answer that is no page means for a pull.
  func failure(_ answer: FHIRAnswer, of type: String) async throws(AppError) -> Puller.Failure {
    let words = ServerWords.describe(answer)
    if let halt = ServerWords.halt(answer) { return .halt(halt) }
    if answer.status == 429 || answer.status == 503, let pause = answer.retryAfter {
      let until = effects.clock.now().milliseconds + min(pause.milliseconds, Throttle.longest)
      try await write { transaction throws(AppError) in try transaction.throttle(until: until) }
      return .halt(.throttled(until: until))
    }
    // What is not implemented (501) is so for this type only, and later as well.
    if answer.status >= 500 && answer.status != 501 || answer.status == 429 || answer.status == 408 {
      return .halt(.unreachable(AppError(.serverFailure, words, hint: "sync again later")))
    }
    if (200...299).contains(answer.status) {
      return .halt(.notFHIR(AppError(.notFHIR, words, hint: "check the address of the server")))
    }
    return .unavailable("\(type) was not pulled: \(words)")
  }
}
