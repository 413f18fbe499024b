import CCurl
import CSQLite

/// The versions of the system's libraries that are used at run time.
enum Libraries {
  /// SQLite's, as text and as a number such as 3051003 for 3.51.3.
  static var sqlite: (text: String, number: Int32) {
    (String(cString: sqlite3_libversion()), sqlite3_libversion_number())
  }

  /// libcurl's.
  static var curl: String {
    guard let info = curl_version_info(CURLVERSION_FIRST), let version = info.pointee.version else { return "unknown" }
    return String(cString: version)
  }
}
