import Domain
import JSON

extension OutboxDrainer {
  /// Before a registration goes: whether the server knows someone who is probably the same person.
  ///
  /// - Returns: `nil` when the request may go: nobody is that alike, or the server does not answer such searches.
  func lookForDuplicates(_ claim: Claim) async -> Decision? {
    guard claim.asksForDuplicates, case .create(let document) = claim.entry.patch else { return nil }
    var warnings: [String] = []
    guard let patient = Patient.decode(document, warnings: &warnings) else { return nil }
    var alike: [(candidate: PatientCandidate, document: JSONValue)] = []
    for query in RemoteSearch(likenessesOf: patient).queries {
      let answer: FHIRAnswer
      do throws(TransportError) { answer = try await client.read("\(Patient.resourceType)?\(query)") } catch {
        return notCompared(claim, error)
      }
      if let halt = ServerWords.halt(answer) {
        let words = ServerWords.describe(answer)
        return Decision(
          .tryAgain(claim.entry.number, notBefore: nil, countsAttempt: false, reason: "not sent: \(words)"), halt: halt)
      }
      if AnswerTable.classify(status: answer.status, strategy: .update) == .tryAgain || answer.status >= 500 {
        return SendDecision.tryAgain(
          claim.entry, answer, "not sent: \(ServerWords.describe(answer))", circumstances)
      }
      guard answer.status == 200, let page = answer.document.flatMap(BundleReader.read) else { continue }
      for found in page.resources(of: Patient.resourceType) where !isOurs(found, claim) && !found.isSubsetted {
        guard let known = Patient.decode(found, warnings: &warnings), !known.isReplaced else { continue }
        let candidate = PatientCandidate(patient: known, match: RegistrationMatch(patient, known))
        guard candidate.match.likelihood == .likely, !alike.contains(where: { $0.candidate.patient.id == known.id })
        else { continue }
        alike.append((candidate, found))
      }
    }
    alike.sort {
      ($1.candidate.match.score, $0.candidate.patient.id.rawValue)
        < ($0.candidate.match.score, $1.candidate.patient.id.rawValue)
    }
    guard let first = alike.first else { return nil }
    return Decision(
      .review(
        claim.entry.number, .likelyDuplicate,
        explanation: alike.count == 1
          ? "the server has a patient who is probably the same person; nothing was sent"
          : "the server has \(alike.count) patients who are probably the same person; nothing was sent",
        disputes: [],
        theirs: ServerDocument(key: first.candidate.patient.id.key, document: first.document),
        outcome: Self.outcome(alike.prefix(10).map(\.candidate))))
  }

  private func isOurs(_ document: JSONValue, _ claim: Claim) -> Bool {
    document["id"]?.string == claim.entry.key.id || RequestBuilder.localIDs(of: document).contains(claim.entry.key.id)
  }

  private func notCompared(_ claim: Claim, _ error: TransportError) -> Decision {
    let halt: Engine.Halt? =
      error.kind == .noToken ? .signIn : error.sentNothing ? .unreachable(AppError(error)) : nil
    return Decision(
      .tryAgain(
        claim.entry.number, notBefore: error.sentNothing ? nil : pause(claim.entry),
        countsAttempt: !error.sentNothing, reason: "not sent: \(error.message)"), halt: halt)
  }

  /// Who is alike, in the form in which what a server says is kept with a review item.
  private static func outcome(_ candidates: [PatientCandidate]) -> JSONValue {
    let issues = candidates.map { candidate -> JSONValue in
      let person = candidate.patient
      let facts =
        [person.displayName, person.birthDate.value?.description, person.identifier.preferred?.displayText]
        .compactMap(\.self)
      let reasons = candidate.match.reasons.filter { $0.points > 0 }.map(\.rawValue).joined(separator: ", ")
      return [
        "severity": "warning", "code": "duplicate",
        "diagnostics": .string(facts.joined(separator: ", ") + " (\(reasons))"),
        "expression": [.string(person.id.key.description)],
      ]
    }
    return ["resourceType": "OperationOutcome", "issue": .array(issues)]
  }
}
