import Domain
import JSON

extension StoreTransaction {
  /// What is known of the server.
  func serverKnowledge() throws(AppError) -> ServerKnowledge {
    let row = try first(
      """
      SELECT capabilities, refuses_client_ids, honours_if_match, throttled_until, throttled_from, search_lag,
        refuses_transactions FROM server
      """
    ) { row throws(SQLiteError) in
      (
        row.optionalBlob(0), row.text(1), row.optionalInteger(2), row.optionalInteger(3), row.optionalInteger(4),
        row.integer(5), row.flag(6)
      )
    }
    var knowledge = ServerKnowledge()
    guard let row else { return knowledge }
    if let bytes = row.0 { knowledge.capabilities = try memo.read(bytes) }
    knowledge.refusesClientIDs = Set(row.1.split(separator: " ").map(String.init))
    knowledge.honoursIfMatch = row.2.map { $0 != 0 }
    // A clock that was set back must not turn a short silence into a long one.
    if let until = row.3, let from = row.4, nowMilliseconds >= from { knowledge.throttledUntil = until }
    knowledge.searchLag = row.5
    knowledge.refusesTransactions = row.6
    return knowledge
  }

  func storeCapabilities(_ statement: JSONValue?) throws(AppError) {
    try run(
      "UPDATE server SET capabilities = coalesce(?, capabilities), capabilities_read = ?",
      [SQLValue(statement?.bytes()), .integer(nowMilliseconds)])
    noteServer()
  }

  func noteRefusedClientIDs(type: String) throws(AppError) {
    var types = try serverKnowledge().refusesClientIDs
    types.insert(type)
    try run("UPDATE server SET refuses_client_ids = ?", [.text(types.sorted().joined(separator: " "))])
    noteServer()
  }

  func noteIfMatchHonoured() throws(AppError) {
    try run("UPDATE server SET honours_if_match = 1")
    noteServer()
  }

  func noteNoTransactions() throws(AppError) {
    try run("UPDATE server SET refuses_transactions = 1")
    noteServer()
  }

  func throttle(until: Int64) throws(AppError) {
    let until = min(until, nowMilliseconds + Throttle.longest)
    // What was asked for by a clock that has been put back since no longer counts.
    try run(
      """
      UPDATE server SET throttled_from = ?2, throttled_until =
        CASE WHEN throttled_from <= ?2 THEN max(?1, coalesce(throttled_until, 0)) ELSE ?1 END
      """, [.integer(until), .integer(nowMilliseconds)])
    noteServer()
  }

  /// Notes how a sync ended.
  func noteSync(complete: Bool, error: AppError?) throws(AppError) {
    var stored: JSONValue?
    if let error {
      stored = ["code": .string(error.code.rawValue), "message": .string(error.message)]
      if let hint = error.hint { stored?["hint"] = .string(hint) }
    }
    try run(
      "UPDATE server SET last_attempt = ?, last_complete = coalesce(?, last_complete), last_error = ?",
      [.text(now.text), SQLValue(complete ? now.text : nil), SQLValue(stored?.bytes())])
    noteServer()
  }

  /// When a sync last tried, last ended with nothing left, and what the last one met.
  func syncMarks() throws(AppError) -> (attempt: Instant?, complete: Instant?, error: AppError?) {
    let row = try first("SELECT last_attempt, last_complete, last_error FROM server") { row throws(SQLiteError) in
      (row.optionalText(0), row.optionalText(1), row.optionalBlob(2))
    }
    guard let row else { return (nil, nil, nil) }
    var error: AppError?
    if let stored = try row.2.map({ bytes throws(AppError) in try JSONValue(stored: bytes) }) {
      error = AppError(
        AppError.Code(rawValue: stored["code"]?.string ?? "") ?? .internalFault, stored["message"]?.string ?? "",
        hint: stored["hint"]?.string)
    }
    return (row.0.flatMap(Instant.init), row.1.flatMap(Instant.init), error)
  }

  /// A fact about the store itself.
  func meta(_ key: String) throws(AppError) -> String? {
    try first("SELECT value FROM meta WHERE key = ?", [.text(key)]) { row throws(SQLiteError) in row.text(0) }
  }

  func setMeta(_ key: String, _ value: String) throws(AppError) {
    try run("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", [.text(key), .text(value)])
  }
}
