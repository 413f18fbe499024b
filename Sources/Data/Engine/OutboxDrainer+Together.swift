import Domain
import JSON

extension OutboxDrainer {
  /// Sends the claimed entries of one action as one transaction.
  ///
  /// - Parameter count: how many entries the action has: if some could not be claimed, none goes.
  func sendTogether(_ claims: [Claim], of count: Int) async -> [DrainAnswer] {
    guard claims.count == count else { return notSent(claims) }
    do throws(AppError) {
      for claim in claims where claim.comparesFirst || claim.asksForDuplicates {
        // One of them would not go: then none does, and each is looked at by itself.
        if let decision = try await objection(to: claim) { return spread(decision, from: claim, over: claims) }
      }
    } catch { return [DrainAnswer(subject: .failed(error))] }
    let parts = claims.map { TransactionBundle.Part(entry: $0.entry, attempt: $0.attempt) }
    do throws(TransportError) {
      let bundle: JSONValue
      do throws(JSONError) {
        bundle = try TransactionBundle.make(parts, base: client.base, ownBase: store.ownBase)
      } catch {
        return alone(claims, "its document cannot be read: \(error.message)", learnt: false)
      }
      let answer = try await client.transact(bundle, requestID: claims.first?.attempt.id ?? "")
      FailPoint.sendAnswered.pass()
      return await decide(answer, claims)
    } catch {
      return claims.map { claim in
        drainAnswer(claim, SendDecision.decide(claim.entry, error, circumstances))
      }
    }
  }

  private func decide(_ answer: FHIRAnswer, _ claims: [Claim]) async -> [DrainAnswer] {
    if answer.isSuccess, let document = answer.document,
      let answers = TransactionBundle.answers(document, count: claims.count)
    {
      // A transaction is all or nothing: a server that refuses a part of it has none.
      let isReal = answers.allSatisfy(\.isSuccess)
      var decided: [DrainAnswer] = []
      for (claim, part) in zip(claims, answers) {
        let first = SendDecision.decide(claim.entry, claim.attempt, part, circumstances)
        var decision = await lookForEarlier(claim, first)
        decision.showsNoTransactions = !isReal
        decided.append(drainAnswer(claim, decision))
      }
      return decided
    }
    let words = ServerWords.describe(answer)
    let isServersWord = answer.isEmpty || answer.document != nil
    switch answer.status {
    case 404 where isServersWord, 405 where isServersWord, 501 where isServersWord:
      return alone(claims, "transactions are not offered: \(words)", learnt: true)
    case _ where isServersWord && [400, 409, 410, 412, 413, 422].contains(answer.status):
      return alone(claims, "the action was refused as a whole: \(words)", learnt: false)
    default:
      return claims.map { claim in
        // Nothing of a transaction's own status says anything about a part, so a success without parts is unknown.
        var unclear = answer
        if answer.isSuccess { unclear.document = nil }
        unclear.isEmpty = answer.isSuccess ? false : answer.isEmpty
        return drainAnswer(claim, SendDecision.decide(claim.entry, claim.attempt, unclear, circumstances))
      }
    }
  }

  /// None was applied: each goes by itself, in order.
  private func alone(_ claims: [Claim], _ reason: String, learnt: Bool) -> [DrainAnswer] {
    claims.map { claim in
      var decision = Decision(.sentAlone(claim.entry.number, reason: reason))
      decision.showsNoTransactions = learnt
      return drainAnswer(claim, decision)
    }
  }

  private func spread(_ decision: Decision, from one: Claim, over claims: [Claim]) -> [DrainAnswer] {
    [drainAnswer(one, decision)] + notSent(claims.filter { $0.entry.number != one.entry.number })
  }

  private func notSent(_ claims: [Claim]) -> [DrainAnswer] {
    claims.map { claim in
      drainAnswer(
        claim,
        Decision(
          .tryAgain(
            claim.entry.number, notBefore: nil, countsAttempt: false,
            reason: "not sent: another part of the action could not go")))
    }
  }

  private func drainAnswer(_ claim: Claim, _ decision: Decision) -> DrainAnswer {
    DrainAnswer(subject: .entry(claim.entry.number, attempt: claim.attempt.id, decision))
  }
}
