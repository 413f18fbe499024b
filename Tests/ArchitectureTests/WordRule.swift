/// Words that may not stand in the code of some files.
struct WordRule {
  /// The words. White space in the code does not matter: `Task{` is `Task {`.
  var words: [String]
  /// Paths, or folders ending in a slash, that are exempt, each with the reason.
  var exempt: [String: String] = [:]

  /// Effects come from outside, so that all of `Data` can run on one thread in virtual time.
  static let effects = WordRule(
    words: [
      "Task {", "Task(", "Task<", "Task.detached", "Task.sleep", "Task.immediate", "Date()", "Date.now", "UUID()",
      "Dispatch",
      "Thread(", "Thread.", "pthread_create", "Timer(", ".random(", ".randomElement(", ".shuffled(", ".shuffle(",
      "SystemRandomNumberGenerator", "arc4random", "getrandom", "usleep(", "nanosleep(",
      "ContinuousClock", "SuspendingClock", "clock_gettime", "gettimeofday", "ProcessInfo",
    ],
    exempt: [
      "Sources/Data/Effects/": "the effects themselves",
      "Sources/Data/Store/SQLite/BusyHandler.swift":
        "SQLite calls it in the middle of a statement, between processes; a simulation has one process",
      "Sources/Data/HTTP/CurlLoop.swift": "the thread of libcurl, which a simulation replaces with its own transport",
      "Sources/Data/HTTP/CurlTransfer.swift": "likewise: when bytes last moved on the wire",
    ])

  /// Domain is values and rules: it reads no clock, makes no id and touches nothing outside.
  static let purity = WordRule(
    words: effects.words + [
      "FileManager", "FileHandle", "String(contentsOf", "Data(contentsOf", ".write(to", "URLSession", "UserDefaults",
      "Process(", "print(", "fputs(", "fopen(", "NotificationCenter", "getenv(", "TimeZone.current", "Locale.current",
      "Calendar.current", "static let shared",
    ])

  /// What ends the process on an input that nobody thought of.
  static let traps = WordRule(words: ["try!", "as!", "fatalError(", "preconditionFailure("])

  /// Foundation's `Process` reads past the end of a buffer when many descriptors are open, and ends the whole run.
  static let processes = WordRule(words: ["Process()", "Process.run("])

  /// Foundation's cuts of paths trap on a name of one character: `FilePath` does it.
  static let paths = WordRule(words: ["deletingLastPathComponent", "lastPathComponent", "as NSString"])

  /// The places where a word stands.
  func violations(in files: [SourceFile]) -> [String] {
    let byFirstByte = Dictionary(grouping: words.map(Self.withoutIdleBlanks), by: { $0[0] })
    return files.filter { !isExempt($0.path) }.flatMap { file in
      file.code.enumerated().flatMap { index, line in
        Self.words(byFirstByte, in: Self.withoutIdleBlanks(line)).map { "\(file.place(index)): \($0)" }
      }
    }
  }

  private func isExempt(_ path: String) -> Bool {
    exempt.keys.contains { $0.hasSuffix("/") ? path.hasPrefix($0) : path == $0 }
  }

  /// The words that a line has, not as the end of a longer name: `MyTask {` is not `Task {`.
  private static func words(_ byFirstByte: [UInt8: [[UInt8]]], in line: [UInt8]) -> [String] {
    var found: [String] = []
    for (start, byte) in line.enumerated() {
      guard let words = byFirstByte[byte] else { continue }
      if start > 0, isOfName(byte), isOfName(line[start - 1]) { continue }
      for word in words where line[start...].starts(with: word) { found.append(String(decoding: word, as: UTF8.self)) }
    }
    return found
  }

  /// A line with blanks only where they part two names.
  private static func withoutIdleBlanks(_ line: String) -> [UInt8] {
    line.utf8.split(separator: UInt8(ascii: " ")).reduce(into: []) { text, word in
      if let last = text.last, let first = word.first, isOfName(last), isOfName(first) {
        text.append(UInt8(ascii: " "))
      }
      text.append(contentsOf: word)
    }
  }

  private static func isOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    default: byte >= 0x80
    }
  }
}
