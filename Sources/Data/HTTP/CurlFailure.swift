import CCurl

/// What is known of a transfer that gave no answer.
struct CurlFailure {
  var code: CURLcode
  /// libcurl's own words, which may be empty. Used for failures before the request only: later ones may quote it.
  var detail = ""
  /// Whether the connection stood and the request could begin.
  var began: Bool
  /// What the proxy answered to CONNECT; 0 without one.
  var proxyStatus = 0

  /// The error for the caller. The host is named, the rest of the address is not.
  func error(for origin: Origin) -> TransportError {
    let kind = kind
    return TransportError(kind, message(kind, origin), sentNothing: !began)
  }

  private var kind: TransportError.Kind {
    switch code {
    case CURLE_UNSUPPORTED_PROTOCOL: began ? .malformedAnswer : .unsupportedURL
    case CURLE_URL_MALFORMAT: .unsupportedURL
    case CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY: .proxy
    case CURLE_COULDNT_RESOLVE_HOST: .couldNotResolve
    case CURLE_COULDNT_CONNECT, CURLE_INTERFACE_FAILED: .couldNotConnect
    case CURLE_OPERATION_TIMEDOUT: began ? .timedOut : .timedOutConnecting
    case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
      CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_CACERT_BADFILE,
      CURLE_SSL_CRL_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_PINNEDPUBKEYNOTMATCH,
      CURLE_SSL_CLIENTCERT, CURLE_USE_SSL_FAILED:
      .tls
    case CURLE_SEND_ERROR, CURLE_RECV_ERROR: proxyStatus != 0 && !began ? .proxy : .reset
    case CURLE_HTTP2, CURLE_HTTP2_STREAM: .reset
    case CURLE_GOT_NOTHING: .emptyAnswer
    case CURLE_PARTIAL_FILE: .truncated
    case CURLE_FILESIZE_EXCEEDED: .tooLarge
    case CURLE_SEND_FAIL_REWIND: .resendPrevented
    case CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING: .malformedAnswer
    default: .other(code: Int(code.rawValue))
    }
  }

  private func message(_ kind: TransportError.Kind, _ origin: Origin) -> String {
    let reason = detail.isEmpty ? "" : " (\(detail))"
    return switch kind {
    case .unsupportedURL: "The address on \(origin) cannot be used."
    case .couldNotResolve: "The name of \(origin) has no address: check the spelling and the network."
    case .couldNotConnect: "No connection to \(origin): nothing answers there, or the network is down."
    case .tls: "No secure connection to \(origin)\(reason)."
    case .proxy:
      proxyStatus == 0
        ? "The proxy for \(origin) cannot be used\(reason)." : "The proxy for \(origin) answered \(proxyStatus)."
    case .timedOutConnecting: "No connection to \(origin) in the time allowed."
    case .timedOut: "\(origin) gave no complete answer in the time allowed."
    case .reset: "The connection to \(origin) broke."
    case .emptyAnswer: "\(origin) closed the connection without an answer."
    case .truncated: "The answer of \(origin) was cut."
    case .tooLarge: "The answer of \(origin) is larger than allowed."
    case .resendPrevented: "A kept connection to \(origin) had died; the request may or may not have arrived."
    case .malformedAnswer: "The answer of \(origin) is not HTTP that can be understood."
    default: "The transfer with \(origin) failed: \(String(cString: clinic_curl_easy_strerror(code)))."
    }
  }
}

extension TransportError {
  static func cancelled(sentNothing: Bool) -> TransportError {
    TransportError(.cancelled, "The request was cancelled.", sentNothing: sentNothing)
  }

  static func noLibrary(_ words: String) -> TransportError {
    TransportError(
      .noLibrary, "No request can be made: libcurl cannot be used (\(words)).", sentNothing: true)
  }

  static func stalled(_ origin: Origin) -> TransportError {
    TransportError(.stalled, "No byte moved on the connection to \(origin) in the time allowed.", sentNothing: false)
  }
}
