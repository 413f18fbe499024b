/// What an answer to a write means. One table, total over status codes and transport errors.
package enum AnswerTable {
  /// The classes of answers.
  package enum Class: Hashable, Sendable {
    /// The write was applied.
    case done
    /// Certainly not applied, and nothing is wrong with it: the same again, later.
    case tryAgain
    /// Not applied, for want of a valid sign-in.
    case signIn
    /// Not known: read and compare.
    case findOut
    /// Certainly not applied, because the server's document moved or moves: read, merge.
    case stale
    /// Certainly not applied, and the same will never be: a person decides.
    case refused
    /// Not applied: this server takes no client ids.
    case refusesClientID
    /// Certainly not applied: no connection.
    case unreachable
    /// More than one record carries our identifier.
    case manyMatches
  }

  /// The class of a status code, for a way of writing.
  package static func classify(status: Int, strategy: WriteStrategy) -> Class {
    switch status {
    case 200, 201, 204: return .done
    case 401: return .signIn
    case 408, 425, 429, 503: return .tryAgain
    case 400 where strategy == .createByPut, 405 where strategy == .createByPut: return .refusesClientID
    case 404:
      switch strategy {
      case .createByPut: return .refusesClientID
      case .createByPost: return .refused
      case .update: return .findOut
      case .delete: return .done
      }
    case 410: return strategy == .delete ? .done : strategy == .createByPost ? .refused : .findOut
    case 409: return .stale
    case 412: return strategy == .createByPost ? .manyMatches : .stale
    case 501, 505: return .refused
    case 400...499: return .refused
    default: return .findOut
    }
  }

  /// The class of a failure without an answer.
  package static func classify(_ error: TransportError) -> Class {
    switch error.kind {
    case .noToken: .signIn
    case .unsupportedRequest: error.sentNothing ? .refused : .findOut
    default: error.sentNothing ? .unreachable : .findOut
    }
  }

  /// The class of an answer, its body considered.
  package static func classify(_ answer: FHIRAnswer, strategy: WriteStrategy, type: String, id: String) -> Class {
    let byStatus = classify(status: answer.status, strategy: strategy)
    switch byStatus {
    case .done where strategy != .delete && !answer.isEmpty:
      // A success whose body is neither the resource nor an outcome came from somebody else, or from a redirect.
      if answer.outcome != nil { return .done }
      let expectedID = strategy == .createByPost ? nil : id
      return answer.resource(type: type, id: expectedID) != nil ? .done : .findOut
    case .done where strategy == .delete && !answer.isEmpty:
      return answer.document != nil ? .done : .findOut
    case .refusesClientID, .refused, .stale, .manyMatches:
      // A login page may come with any status: only FHIR, or nothing at all, is the server's own word.
      return answer.isEmpty || answer.document != nil ? byStatus : answer.looksLikeAnotherServer ? .findOut : byStatus
    default: return byStatus
    }
  }
}

extension FHIRAnswer {
  /// Whether a page for people came instead of an answer for programs.
  package var looksLikeAnotherServer: Bool {
    document == nil && !isEmpty && (contentType == "text/html" || contentType == "application/xhtml+xml")
  }
}
