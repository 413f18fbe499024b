import Domain
import JSON

extension StoreMaintenance {
  /// Whether the server answers, what it can do, and what follows from that.
  func serverFindings() async -> [Finding] {
    guard let server else {
      return [Finding("server", .attention, "none is configured", next: "add --server URL, or set CLINIC_SERVER")]
    }
    guard let client else { return [Finding("server", .ok, "\(server); not asked, as \(whyNotAsked)")] }
    let answer: FHIRAnswer
    do throws(TransportError) { answer = try await client.read("metadata") } catch {
      let failure = AppError(error)
      return [
        error.kind == .noToken
          ? Finding("sign-in", .fault, failure.message, next: "check CLINIC_TOKEN_FILE", code: .signInNeeded)
          : Finding("server", .fault, "\(server): \(failure.message)", next: failure.hint, code: failure.code)
      ]
    }
    guard let document = answer.document, let capabilities = CapabilityReader.read(document) else {
      let words = ServerWords.describe(answer)
      return [
        answer.status == 401
          ? Finding("sign-in", .fault, words, next: "check CLINIC_TOKEN_FILE", code: .signInNeeded)
          : Finding("server", .fault, "\(server): \(words)", next: "check the address", code: .notFHIR)
      ]
    }
    return [Self.product(capabilities, server: server), clock(answer)] + (await guarantees(capabilities))
      + [await signIn(client)]
  }

  private static func product(_ capabilities: ServerCapabilities, server: String) -> Finding {
    let text =
      "\(server), \(capabilities.software ?? "product not told"), FHIR \(capabilities.fhirVersion ?? "not told")"
    return capabilities.isR4
      ? Finding("server", .ok, text) : Finding("server", .attention, text, next: "use a server that speaks FHIR R4")
  }

  private func clock(_ answer: FHIRAnswer) -> Finding {
    guard let there = answer.dateSeconds else { return Finding("clock", .ok, "the server does not tell its time") }
    let offset = effects.clock.now().secondsSince1970 - there
    let text =
      abs(offset) <= 2
      ? "as the server's" : "\(abs(offset)) s \(offset > 0 ? "ahead of" : "behind") the server's"
    return abs(offset) <= 60
      ? Finding("clock", .ok, text)
      : Finding("clock", .attention, text, next: "set this machine's clock: what is recorded carries its time")
  }

  /// What the program chose because of what the server can do, and has learnt from its answers.
  private func guarantees(_ claimed: ServerCapabilities) async -> [Finding] {
    var knowledge = ServerKnowledge()
    if files.exists, let database = try? database() {
      let (now, ids, server) = (effects.clock.now(), effects.ids, server)
      let known = try? await database.read { connection throws(AppError) in
        try StoreTransaction(connection: connection, now: now, ids: ids, ownBase: server).serverKnowledge()
      }
      await database.close()
      if let known { knowledge = known }
    }
    knowledge.capabilities = claimed
    let pull = claimed.types["Patient"]?.allows("history-type") == true
    let choices =
      knowledge.guarantees(types: ["Patient", "Appointment", "Observation"]) + [
        knowledge.hasTransactions
          ? "edits of one action go as one transaction" : "edits of one action go one by one, in order",
        pull
          ? "changes and deletions are received by history"
          : "changes are received by search; deletions are found when a record is read",
      ]
    let isWeak = knowledge.mustCompareFirst(type: "Patient")
    return [Finding("guarantees", isWeak ? .attention : .ok, choices.joined(separator: "; "))]
  }

  private func signIn(_ client: FHIRClient) async -> Finding {
    let how = tokenFile.map { "with the token in \($0)" } ?? "without a token"
    let answer: FHIRAnswer
    do throws(TransportError) { answer = try await client.read("Patient?_summary=count") } catch {
      return Finding(
        "sign-in", .fault, AppError(error).message, next: "check CLINIC_TOKEN_FILE",
        code: error.kind == .noToken ? .signInNeeded : AppError(error).code)
    }
    switch answer.status {
    case 200...299: return Finding("sign-in", .ok, "the server answers \(how)")
    case 401:
      return Finding(
        "sign-in", .fault, "the server wants a sign-in; it was asked \(how)", next: "check CLINIC_TOKEN_FILE",
        code: .signInNeeded)
    case 403:
      return Finding(
        "sign-in", .fault, "patients may not be read \(how)", next: "ask who runs the server", code: .forbidden)
    default: return Finding("sign-in", .attention, ServerWords.describe(answer), next: "sync, and see what it meets")
    }
  }
}
