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
  /// Kept until the handle is gone, since libcurl does not copy them.
  var headerList: UnsafeMutablePointer<curl_slist>?
  let errorText: UnsafeMutablePointer<CChar>

  /// Nil if libcurl has no memory for a handle, or refuses an option.
  init?(_ order: CurlOrder, configuration: CurlConfiguration) {
    guard let easy = clinic_curl_easy_init() else { return nil }
    self.order = order
    self.easy = easy
    errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
    errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    guard setUp(configuration) else { return nil }
  }

  deinit {
    clinic_curl_easy_cleanup(easy)
    clinic_curl_slist_free_all(headerList)
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

  static let onBegin: clinic_curl_prerequest_callback = { context, _, _, _, _ in
    CurlTransfer.from(context)?.begin()
    return CURL_PREREQFUNC_OK
  }

  static let onHeadLine: clinic_curl_data_callback = { bytes, size, count, context in
    guard let bytes, let transfer = CurlTransfer.from(context) else { return 0 }
    return transfer.takeHeadLine(UnsafeRawBufferPointer(start: bytes, count: size * count))
  }

  static let onBody: clinic_curl_data_callback = { bytes, size, count, context in
    guard let transfer = CurlTransfer.from(context) else { return 0 }
    return transfer.takeBody(UnsafeRawBufferPointer(start: bytes, count: size * count))
  }

  static let onSend: clinic_curl_data_callback = { bytes, size, count, context in
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
    if count > 0, sentBytes == body.count { FailPoint.sendBodyRead.pass() }
    return count
  }

  /// Names and values together, interim answers included.
  private static let maximumHeadBytes = 1 << 20
}
