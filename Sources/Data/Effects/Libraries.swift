import CCurl
import CSQLite

/// The versions of the system's libraries that are used at run time.
enum Libraries {
  /// SQLite's, as text and as a number such as 3051003 for 3.51.3.
  static var sqlite: (text: String, number: Int32) {
    (String(cString: sqlite3_libversion()), sqlite3_libversion_number())
  }

  /// libcurl's, and in words why it cannot be used, if so. Loads it.
  static var curl: (version: String?, failure: String?) {
    if let failure = clinic_curl_load() { return (nil, String(cString: failure)) }
    return (String(cString: clinic_curl_version()), nil)
  }
}
