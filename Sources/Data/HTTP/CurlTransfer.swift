import CCurl

/// One request as libcurl carries it out: an easy handle and what its callbacks read and write.
///
/// It lives on the transport's thread only, from its creation to its end; libcurl's callbacks run there too.
final class CurlTransfer {
  let order: CurlOrder
  let easy: UnsafeMutableRawPointer
  private(set) var head = ResponseHead()
  private(set) var body: [UInt8] = []
  /// Whether the connection stood and the request could begin: from then on bytes may have left.
  private(set) var began = false
  private(set) var isOverSize = false
  private(set) var lastActivity = SuspendingClock.now

  private var sentBytes = 0
  private var headBytes = 0
  private var uploadedAtLastLook: curl_off_t = 0
  private var headerList: UnsafeMutablePointer<curl_slist>?
  private let errorText: UnsafeMutablePointer<CChar>

  /// Nil if libcurl has no memory for a handle, or refuses an option.
  init?(_ order: CurlOrder, configuration: CurlConfiguration) {
    guard let easy = curl_easy_init() else { return nil }
    self.order = order
    self.easy = easy
    errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
    errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    guard setUp(configuration) else { return nil }
  }

  deinit {
    curl_easy_cleanup(easy)
    curl_slist_free_all(headerList)
    errorText.deallocate()
  }

  /// The answer, or why there is none, once libcurl has ended the transfer.
  func result(_ code: CURLcode) -> Result<HTTPResponse, TransportError> {
    if code == CURLE_OK {
      guard head.isComplete else { return .failure(failure(CURLE_PARTIAL_FILE)) }
      return .success(
        HTTPResponse(status: head.status, headers: head.headers, body: body, effectiveURL: order.request.url))
    }
    return .failure(failure(isOverSize ? CURLE_FILESIZE_EXCEEDED : code))
  }

  private func failure(_ code: CURLcode) -> TransportError {
    var proxyStatus = 0
    clinic_curl_get_long(easy, CURLINFO_HTTP_CONNECTCODE, &proxyStatus)
    let detail = began ? "" : String(cString: errorText)
    return CurlFailure(code: code, detail: detail, began: began, proxyStatus: proxyStatus).error(for: order.origin)
  }

  /// When this transfer will have stalled, if nothing moves until then. Nil while it connects, and without that limit.
  func stallDeadline() -> SuspendingClock.Instant? {
    let limit = order.request.timeouts.stall
    guard began, limit > .zero else { return nil }
    var uploaded: curl_off_t = 0
    clinic_curl_get_offset(easy, CURLINFO_SIZE_UPLOAD_T, &uploaded)
    if uploaded != uploadedAtLastLook {
      uploadedAtLastLook = uploaded
      lastActivity = .now
    }
    return lastActivity.advanced(by: limit)
  }
}

// MARK: - What libcurl calls

extension CurlTransfer {
  /// The transfer behind a callback's context. It outlives its easy handle, and so every callback.
  private static func from(_ context: UnsafeMutableRawPointer?) -> CurlTransfer? {
    context.map { Unmanaged<CurlTransfer>.fromOpaque($0).takeUnretainedValue() }
  }

  fileprivate static let onBegin: clinic_curl_prerequest_callback = { context, _, _, _, _ in
    CurlTransfer.from(context)?.begin()
    return CURL_PREREQFUNC_OK
  }

  fileprivate static let onHeadLine: clinic_curl_data_callback = { bytes, size, count, context in
    guard let bytes, let transfer = CurlTransfer.from(context) else { return 0 }
    return transfer.takeHeadLine(UnsafeRawBufferPointer(start: bytes, count: size * count))
  }

  fileprivate static let onBody: clinic_curl_data_callback = { bytes, size, count, context in
    guard let transfer = CurlTransfer.from(context) else { return 0 }
    return transfer.takeBody(UnsafeRawBufferPointer(start: bytes, count: size * count))
  }

  fileprivate static let onSend: clinic_curl_data_callback = { bytes, size, count, context in
    guard let bytes, let transfer = CurlTransfer.from(context) else { return Int(CURL_READFUNC_ABORT) }
    return transfer.giveBody(UnsafeMutableRawBufferPointer(start: bytes, count: size * count))
  }

  private func begin() {
    began = true
    lastActivity = .now
  }

  private func takeHeadLine(_ line: UnsafeRawBufferPointer) -> Int {
    lastActivity = .now
    headBytes += line.count
    guard headBytes <= Self.maximumHeadBytes else {
      isOverSize = true
      return 0
    }
    head.append(line)
    return line.count
  }

  private func takeBody(_ bytes: UnsafeRawBufferPointer) -> Int {
    lastActivity = .now
    guard body.count + bytes.count <= order.request.maximumBodyBytes else {
      isOverSize = true
      return 0
    }
    body.append(contentsOf: bytes)
    return bytes.count
  }

  private func giveBody(_ room: UnsafeMutableRawBufferPointer) -> Int {
    guard let body = order.request.body else { return 0 }
    let count = min(room.count, body.count - sentBytes)
    body.withUnsafeBytes { room.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[sentBytes..<sentBytes + count])) }
    sentBytes += count
    return count
  }

  /// Names and values together, interim answers included.
  private static let maximumHeadBytes = 1 << 20
}

// MARK: - Options

extension CurlTransfer {
  private func setUp(_ configuration: CurlConfiguration) -> Bool {
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
      guard let longer = curl_slist_append(headerList, line) else { return false }
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
