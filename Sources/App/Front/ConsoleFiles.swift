import Dispatch
import Domain
import Foundation

/// ``TextFiles`` of this machine, with standard input as `-`.
nonisolated struct ConsoleFiles: TextFiles {
  /// Standard input, where it is free; `nil` where lines are read from it.
  var input: (any LineSource)?

  /// No text that is read is longer, in bytes.
  static let longest = 1 << 20

  func text(at path: String) async throws(AppError) -> String {
    let bytes = path == "-" ? try await standardInput() : try await contents(of: path)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw AppError(.fileUnreadable, "\(Self.name(path)) is not valid UTF-8", field: "file")
    }
    // What other systems put in front of a text is no part of it.
    return text.hasPrefix("\u{FEFF}") ? String(text.unicodeScalars.dropFirst()) : text
  }

  func write(_ text: String, to path: String) async throws(AppError) {
    let failure: String? = await withCheckedContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(returning: Self.replace(path, Array(text.utf8))) }
    }
    if let failure { throw AppError(.fileUnreadable, "cannot write \(path): \(failure)", field: "export") }
  }

  private func standardInput() async throws(AppError) -> [UInt8] {
    guard let input else {
      throw AppError(
        .invalidInput, "standard input is read for lines here", hint: "put the text into a file and name it",
        field: "file")
    }
    var bytes: [UInt8] = []
    while let line = try await input.next() {
      bytes += line + [UInt8(ascii: "\n")]
      if bytes.count > Self.longest { throw Self.tooLong("standard input") }
    }
    if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
    return bytes
  }

  private func contents(of path: String) async throws(AppError) -> [UInt8] {
    let result: Result<[UInt8], AppError> = await withCheckedContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(returning: Self.read(path)) }
    }
    return try result.get()
  }

  private static func read(_ path: String) -> Result<[UInt8], AppError> {
    guard let handle = FileHandle(forReadingAtPath: path) else {
      return .failure(AppError(.fileUnreadable, "cannot read \(path)", hint: "check its name", field: "file"))
    }
    defer { try? handle.close() }
    do {
      let content = try handle.read(upToCount: longest + 1) ?? Foundation.Data()
      return content.count > longest ? .failure(tooLong(path)) : .success(Array(content))
    } catch {
      return .failure(
        AppError(.fileUnreadable, "cannot read \(path): \(error.localizedDescription)", field: "file"))
    }
  }

  /// Writes beside the file and puts the whole in its place, so that nobody finds a half of it.
  ///
  /// - Returns: Why it could not be written.
  private static func replace(_ path: String, _ bytes: [UInt8]) -> String? {
    let draft = "\(path).\(getpid()).part"
    let descriptor = Foundation.open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return String(cString: strerror(errno)) }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    do {
      try handle.write(contentsOf: Foundation.Data(bytes))
      try handle.close()
    } catch {
      unlink(draft)
      return error.localizedDescription
    }
    guard rename(draft, path) == 0 else {
      let reason = String(cString: strerror(errno))
      unlink(draft)
      return reason
    }
    return nil
  }

  private static func name(_ path: String) -> String { path == "-" ? "standard input" : path }

  private static func tooLong(_ name: String) -> AppError {
    AppError(.fileUnreadable, "\(name) has more than \(longest) bytes", hint: "write several notes", field: "file")
  }
}
