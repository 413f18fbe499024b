import Foundation

/// Files of a line or two that every start reads. Foundation's ways to read one cost a start more than all of its files.
enum SmallFile {
  /// The text of a file; `nil` when it cannot be read, is no UTF-8 or has more bytes than that.
  static func text(_ path: String, atMost limit: Int) -> String? {
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: limit + 1)
    var count = 0
    while count < bytes.count {
      let got = bytes.withUnsafeMutableBytes { read(descriptor, $0.baseAddress.map { $0 + count }, $0.count - count) }
      if got < 0, errno == EINTR { continue }
      guard got >= 0 else { return nil }
      if got == 0 { break }
      count += got
    }
    return count > limit ? nil : String(validating: bytes.prefix(count), as: UTF8.self)
  }
}
