import Data
import DesignSystem
import Domain
import Foundation

/// The lines of earlier sessions, for profiles that keep them: the words of commands only, never what was typed behind
/// them, since that names patients.
nonisolated struct HistoryFile: Sendable {
  /// How many lines are kept.
  static let longest = 500

  /// The path of the file.
  var path: String
  /// Says what command a line is.
  var table: CommandTable

  /// The kept lines, oldest first. What is no command any more is left out.
  func read() -> [String] {
    guard let data = FileManager.default.contents(atPath: path) else { return [] }
    let known = Set(table.commands.map(\.spec.name))
    let lines = String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    return Array(lines.filter(known.contains).suffix(Self.longest))
  }

  /// Adds a line as far as it is kept. That it cannot be written is no reason to disturb anyone.
  func add(_ line: String) {
    guard let name = command(in: line) else { return }
    var lines = read()
    if lines.last == name { return }
    lines.append(name)
    let text = lines.suffix(Self.longest).map { $0 + "\n" }.joined()
    let folder = FilePath.folder(of: path)
    try? FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let temporary = "\(path).\(getpid())"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return }
    let bytes = Array(text.utf8)
    let isWhole = Foundation.write(descriptor, bytes, bytes.count) == bytes.count
    close(descriptor)
    if !isWhole || rename(temporary, path) != 0 { unlink(temporary) }
  }

  /// The words that name the line's command.
  func command(in line: String) -> String? {
    guard let words = try? LineParser().words(in: line).map(\.text) else { return nil }
    return table.command(named: words)?.spec.name
  }
}
