import Domain

extension StoreTransaction {
  /// What is asked of the server before anything else; nothing while what it can do is known well enough.
  func plannedQuestions() throws(AppError) -> [PlannedRequest] {
    let readAt = try capabilitiesReadAt()
    if let readAt, readAt <= nowMilliseconds, nowMilliseconds - readAt < SyncRunner.capabilityLifetime { return [] }
    return [
      PlannedRequest(
        entry: nil, method: "GET", target: "metadata",
        reason: readAt == nil ? "what the server can do is not known yet" : "what the server can do is asked every hour"
      )
    ]
  }

  /// What becomes of each entry, in order, with the readings that come before it.
  func plannedWrites(sender: Engine.Sender, server: ServerKnowledge) throws(AppError) -> [PlannedRequest] {
    let queue = try engineEntries(server: server)
    let obstacles = Obstacles(queue, sender: sender)
    var requests: [PlannedRequest] = []
    var planned: Set<OutboxNumber> = []
    for waiting in queue where !planned.contains(waiting.number) {
      guard let entry = try outboxEntry(waiting.number) else { continue }
      let group = companions(of: waiting, in: queue, obstacles, server)
      planned.formUnion(group)
      if group.count > 1 {
        let numbers = group.map(String.init).joined(separator: ", ")
        requests.append(
          PlannedRequest(
            entry: entry.number, method: "POST", target: "",
            reason: "entries \(numbers), which are one action, as one transaction"))
      } else {
        requests += try plannedRequests(for: entry, waiting, obstacles.obstacle(to: waiting), server)
      }
    }
    return requests
  }

  /// The readings that a sync ends with: of what an answer left open.
  func plannedReadings() throws(AppError) -> [PlannedRequest] {
    var requests: [PlannedRequest] = []
    for key in try resourcesToRefresh(limit: 1_000) where try outboxEntries(on: key).isEmpty {
      requests.append(
        PlannedRequest(
          entry: nil, method: "GET", target: key.description,
          reason: "it moved while an edit of ours was with the server"))
    }
    return requests
  }

  /// The entries that would go as one transaction with this one; itself alone, where none would.
  private func companions(
    of first: Engine.Entry, in queue: [Engine.Entry], _ obstacles: Obstacles, _ server: ServerKnowledge
  ) -> [OutboxNumber] {
    let group = queue.filter { $0.action == first.action }
    let numbers = Set(group.map(\.number))
    let goes = group.allSatisfy {
      $0.state == .pending && !$0.goesAlone && !$0.needsRefresh && obstacles.obstacle(to: $0, within: numbers) == nil
    }
    guard server.hasTransactions, goes, Set(group.map(\.key)).count == group.count else { return [first.number] }
    return group.map(\.number)
  }

  private func plannedRequests(
    for entry: OutboxEntry, _ waiting: Engine.Entry, _ obstacle: Obstacles.Obstacle?, _ server: ServerKnowledge
  ) throws(AppError) -> [PlannedRequest] {
    func request(_ method: String, _ target: String, _ reason: String) -> PlannedRequest {
      PlannedRequest(entry: entry.number, method: method, target: target, reason: reason)
    }
    let record = try resource(entry.key)
    let attempt =
      entry.attempt
      ?? RequestBuilder.attempt(for: entry, base: record?.base, etag: record?.etag, server: server, id: "-")
    let (method, target) = (attempt?.method.name ?? "-", attempt?.target ?? entry.key.description)
    switch entry.state {
    case .review:
      let item = try openReviewItem(ofEntry: entry.number)
      return [request(method, target, "not sent: needs a decision" + (item.map { ", review \($0.number)" } ?? ""))]
    case .ambiguous, .sending:
      let search =
        entry.attempt?.strategy == .createByPost
        ? "\(entry.key.type)?\(RequestBuilder.identifierQuery(localID: entry.key.id))" : entry.key.description
      return [request("GET", search, "its fate is unknown: it is looked for before anything is sent")]
    case .pending: break
    }
    if let obstacle { return [request(method, target, obstacle.words)] }
    var requests: [PlannedRequest] = []
    if waiting.needsRefresh {
      requests.append(request("GET", entry.key.description, "the server's version is read first"))
    } else if entry.kind != .create, server.mustCompareFirst(type: entry.key.type) {
      requests.append(
        request("GET", entry.key.description, "compared first: it is not known that If-Match is honoured"))
    }
    if entry.recreates, attempt?.strategy == .createByPut {
      requests.append(request("GET", entry.key.description, "looked for first: others may have made the record anew"))
    }
    let condition = attempt?.headers["If-Match"].map { ", if the server has version \($0) still" } ?? ""
    requests.append(request(method, target, "may go now" + condition))
    return requests
  }
}
