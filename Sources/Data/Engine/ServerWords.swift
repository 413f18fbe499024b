package import Domain

/// What a server said, in one line that may be shown and kept: no token, no control characters, bounded.
package enum ServerWords {
  /// Describes an answer.
  package static func describe(_ answer: FHIRAnswer) -> String {
    if let outcome = answer.outcome {
      return "the server answered \(answer.status)"
        + (OperationOutcomeReader.text(of: outcome).map { ": \($0)" } ?? "")
    }
    if (300...399).contains(answer.status) {
      let place = answer.location.map { " to \(withoutQuery($0))" } ?? ""
      return "the address has moved\(place) (status \(answer.status))"
    }
    if answer.document == nil, !answer.isEmpty {
      let type = answer.contentType.isEmpty ? "no content type" : answer.contentType
      return "not a FHIR answer (status \(answer.status), \(type)): a portal or a proxy may stand in between"
    }
    if let type = answer.resourceType, (200...299).contains(answer.status) {
      return "the server answered \(answer.status) with a \(type), which is not what was asked for"
    }
    return "the server answered \(answer.status)"
  }

  /// Why a pass stops at an answer; `nil` when it may go on.
  package static func halt(_ answer: FHIRAnswer) -> Engine.Halt? {
    if answer.status == 401 { return .signIn }
    if answer.looksLikeAnotherServer || (300...399).contains(answer.status) {
      return .notFHIR(
        AppError(.notFHIR, describe(answer), hint: "check the address, or sign in to the network, then sync again"))
    }
    if answer.status == 502 || answer.status == 504 {
      return .unreachable(AppError(.serverFailure, describe(answer), hint: "sync again later"))
    }
    return nil
  }

  private static func withoutQuery(_ url: String) -> String {
    String(url.prefix { $0 != "?" && $0 != "#" })
  }
}

extension AppError {
  /// What a failure of the transport means to the user.
  package init(_ error: TransportError) {
    switch error.kind {
    case .cancelled: self.init(.cancelled, error.message)
    case .timedOut, .timedOutConnecting, .stalled:
      self.init(.timedOut, error.message, hint: "sync again when the network is better")
    case .noToken: self.init(.signInNeeded, error.message)
    case .noLibrary:
      self.init(.offline, error.message, hint: "repair libcurl on this machine (package libcurl4), then start again")
    case .refusedPlainHTTP, .unsupportedURL, .unsupportedRequest: self.init(.invalidInput, error.message)
    default: self.init(.offline, error.message, hint: "what was written is kept; sync again when the network is back")
    }
  }
}
