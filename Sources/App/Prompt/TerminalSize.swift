import Foundation

/// The size of a terminal, asked for whenever it is needed: windows change.
nonisolated enum TerminalSize {
  /// The columns of the terminal behind a descriptor; `nil` where there is none or it does not know.
  static func columns(_ descriptor: Int32) -> Int? { size(descriptor).flatMap { $0.ws_col > 0 ? Int($0.ws_col) : nil } }

  /// The rows of the terminal behind a descriptor.
  static func rows(_ descriptor: Int32) -> Int? { size(descriptor).flatMap { $0.ws_row > 0 ? Int($0.ws_row) : nil } }

  private static func size(_ descriptor: Int32) -> winsize? {
    var size = winsize()
    return ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 ? size : nil
  }
}
