import Domain
import Foundation

/// A file that holds a bearer token on its first line.
enum TokenFile {
  /// Reads the token.
  ///
  /// - Throws: `signInNeeded`, naming the file and never its content.
  static func read(_ path: String) throws(AppError) -> Secret {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw AppError(.signInNeeded, "the token file \(path) cannot be read", hint: "check CLINIC_TOKEN_FILE")
    }
    let line = String(decoding: data, as: UTF8.self).prefix { !$0.isNewline }
    let token = line.trimmingCharacters(in: .whitespaces)
    guard !token.isEmpty else {
      throw AppError(.signInNeeded, "the token file \(path) is empty", hint: "write the token on its first line")
    }
    return Secret(token)
  }
}
