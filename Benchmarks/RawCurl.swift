import CCurl

/// libcurl's multi interface with nothing around it: no store, no headers of ours, no reading of answers.
enum RawCurl {
  struct Failure: Error { var message: String }

  struct Request {
    var url: String
    var body: [UInt8]
  }

  /// Sends requests by `PUT`, so many at a time, over connections that are kept.
  static func put(_ requests: [Request], inFlight: Int) throws {
    guard clinic_curl_load() == nil, let multi = clinic_curl_multi_init() else {
      throw Failure(message: "libcurl cannot start")
    }
    defer { clinic_curl_multi_cleanup(multi) }
    let headers = clinic_curl_slist_append(
      clinic_curl_slist_append(nil, "Content-Type: application/fhir+json"), "Prefer: return=representation")
    defer { clinic_curl_slist_free_all(headers) }
    var idle = (0..<inFlight).map { _ in clinic_curl_easy_init() }
    defer { for easy in idle { clinic_curl_easy_cleanup(easy) } }
    var (begun, running): (Int, Int32) = (0, 0)
    var done = 0
    while done < requests.count {
      while begun < requests.count, let easy = idle.popLast() {
        let request = requests[begun]
        begun += 1
        guard let easy, prepare(easy, request, headers), clinic_curl_multi_add_handle(multi, easy) == CURLM_OK else {
          throw Failure(message: "libcurl refuses a request")
        }
      }
      guard clinic_curl_multi_perform(multi, &running) == CURLM_OK else { throw Failure(message: "libcurl gave up") }
      var left: Int32 = 0
      while let message = clinic_curl_multi_info_read(multi, &left) {
        let easy = message.pointee.easy_handle
        var status = 0
        _ = clinic_curl_get_long(easy, CURLINFO_RESPONSE_CODE, &status)
        guard clinic_curl_message_result(message) == CURLE_OK, status == 201 else {
          throw Failure(message: "a request failed with status \(status)")
        }
        clinic_curl_multi_remove_handle(multi, easy)
        idle.append(easy)
        done += 1
      }
      if running > 0 { clinic_curl_multi_poll(multi, 1_000) }
    }
  }

  private static func prepare(
    _ easy: UnsafeMutableRawPointer, _ request: Request, _ headers: UnsafeMutablePointer<curl_slist>?
  )
    -> Bool
  {
    // COPYPOSTFIELDS copies as many bytes as were announced.
    request.body.withUnsafeBytes { body in
      clinic_curl_set_string(easy, CURLOPT_URL, request.url) == CURLE_OK
        && clinic_curl_set_long(easy, CURLOPT_POSTFIELDSIZE, body.count) == CURLE_OK
        && clinic_curl_set_string(easy, CURLOPT_COPYPOSTFIELDS, body.assumingMemoryBound(to: CChar.self).baseAddress)
          == CURLE_OK
        && clinic_curl_set_string(easy, CURLOPT_CUSTOMREQUEST, "PUT") == CURLE_OK
        && clinic_curl_set_list(easy, CURLOPT_HTTPHEADER, headers) == CURLE_OK
        && clinic_curl_set_data_callback(easy, CURLOPT_WRITEFUNCTION, { _, size, count, _ in size * count }) == CURLE_OK
    }
  }
}
