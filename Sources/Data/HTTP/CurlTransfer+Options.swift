import CCurl

/// The options of a transfer.
extension CurlTransfer {
  /// - Returns: whether libcurl took them all.
  func setUp(_ configuration: CurlConfiguration) -> Bool {
    let context = Unmanaged.passUnretained(self).toOpaque()
    return setGeneral() && setTrust(configuration) && setLimits() && setMethod() && setHeaders()
      && set(CURLOPT_ERRORBUFFER, UnsafeMutableRawPointer(errorText))
      && clinic_curl_set_prerequest_callback(easy, Self.onBegin) == CURLE_OK
      && set(CURLOPT_PREREQDATA, context)
      && clinic_curl_set_data_callback(easy, CURLOPT_HEADERFUNCTION, Self.onHeadLine) == CURLE_OK
      && set(CURLOPT_HEADERDATA, context)
      && clinic_curl_set_data_callback(easy, CURLOPT_WRITEFUNCTION, Self.onBody) == CURLE_OK
      && set(CURLOPT_WRITEDATA, context)
      && clinic_curl_set_data_callback(easy, CURLOPT_READFUNCTION, Self.onSend) == CURLE_OK
      && set(CURLOPT_READDATA, context)
  }

  private func setGeneral() -> Bool {
    set(CURLOPT_URL, order.request.url)
      && set(CURLOPT_PATH_AS_IS, 1)
      && set(CURLOPT_PROTOCOLS_STR, "http,https")
      && set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
      && set(CURLOPT_FOLLOWLOCATION, 0)
      && set(CURLOPT_NOSIGNAL, 1)
      // An abandoned name lookup is left to its own thread; waiting for it would hold up every other transfer.
      && set(CURLOPT_QUICK_EXIT, 1)
      && set(CURLOPT_TCP_KEEPALIVE, 1)
      && set(CURLOPT_BUFFERSIZE, 64 << 10)
      && set(CURLOPT_ACCEPT_ENCODING, "")
      && set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
      && (!order.origin.isLoopback || set(CURLOPT_NOPROXY, "*"))
  }

  private func setTrust(_ configuration: CurlConfiguration) -> Bool {
    set(CURLOPT_SSL_VERIFYPEER, 1)
      && set(CURLOPT_SSL_VERIFYHOST, 2)
      && (configuration.certificateAuthorityFile.map { set(CURLOPT_CAINFO, $0) && set(CURLOPT_CAPATH, nil) } ?? true)
  }

  private func setLimits() -> Bool {
    let request = order.request
    // For libcurl zero means "the default" when connecting: 300 s.
    let connect = request.timeouts.connect > .zero ? request.timeouts.connect : .seconds(1 << 20)
    return set(CURLOPT_CONNECTTIMEOUT_MS, connect.wholeMilliseconds)
      && set(CURLOPT_TIMEOUT_MS, request.timeouts.total > .zero ? request.timeouts.total.wholeMilliseconds : 0)
      // The answer to HEAD tells a length and has no body.
      && (request.method == .head || request.maximumBodyBytes <= 0
        || clinic_curl_set_offset(easy, CURLOPT_MAXFILESIZE_LARGE, curl_off_t(request.maximumBodyBytes)) == CURLE_OK)
  }

  /// A body goes through the read callback, and there is no seek callback: so libcurl cannot send it again by itself.
  private func setMethod() -> Bool {
    let method = order.request.method
    let size = curl_off_t(order.request.body?.count ?? 0)
    let verb =
      switch method {
      case .get: set(CURLOPT_HTTPGET, 1)
      case .head: set(CURLOPT_NOBODY, 1)
      case .put:
        set(CURLOPT_UPLOAD, 1) && clinic_curl_set_offset(easy, CURLOPT_INFILESIZE_LARGE, size) == CURLE_OK
      case .post: setPost(size)
      default:
        (order.request.body == nil ? set(CURLOPT_HTTPGET, 1) : setPost(size))
          && set(CURLOPT_CUSTOMREQUEST, method.name)
      }
    return verb && setConnectionUse(sendsBody: size > 0)
  }

  private func setPost(_ size: curl_off_t) -> Bool {
    set(CURLOPT_POST, 1) && clinic_curl_set_offset(easy, CURLOPT_POSTFIELDSIZE_LARGE, size) == CURLE_OK
  }

  /// Reads may share a connection by HTTP/2 and be repeated. A write without a body could be repeated unseen on a kept
  /// connection that died, so it takes a new one.
  private func setConnectionUse(sendsBody: Bool) -> Bool {
    guard order.request.method.isSafe else {
      return set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1) && (sendsBody || set(CURLOPT_FRESH_CONNECT, 1))
    }
    return set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS)
      && (order.origin.scheme != "https" || set(CURLOPT_PIPEWAIT, 1))
  }

  private func setHeaders() -> Bool {
    var lines = order.request.headers.fields.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
    lines.append("Expect:")  // no wait for "100 Continue"
    if order.request.headers["Content-Type"] == nil { lines.append("Content-Type:") }  // no invented form type
    for line in lines {
      guard let longer = clinic_curl_slist_append(headerList, line) else { return false }
      headerList = longer
    }
    return clinic_curl_set_list(easy, CURLOPT_HTTPHEADER, headerList) == CURLE_OK
  }

  private func set(_ option: CURLoption, _ value: Int) -> Bool {
    clinic_curl_set_long(easy, option, value) == CURLE_OK
  }

  private func set(_ option: CURLoption, _ value: String?) -> Bool {
    clinic_curl_set_string(easy, option, value) == CURLE_OK
  }

  private func set(_ option: CURLoption, _ value: UnsafeMutableRawPointer) -> Bool {
    clinic_curl_set_pointer(easy, option, value) == CURLE_OK
  }
}

extension Duration {
  /// Rounded up, at least 1, and at most what fits a C long on every machine.
  var wholeMilliseconds: Int {
    let (seconds, attoseconds) = components
    guard seconds < Int64(Int32.max) / 1000 else { return Int(Int32.max) }
    let part = (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
    return max(1, Int(seconds * 1000 + part))
  }
}
