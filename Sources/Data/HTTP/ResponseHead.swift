/// Collects the lines of an answer's head as they arrive, and keeps those of the final answer only.
struct ResponseHead {
  private(set) var status = 0
  private(set) var headers = HTTPHeaders()
  /// Whether the blank line after the final answer's head was seen. Until then an answer that ends is cut.
  private(set) var isComplete = false

  private var lastField: (name: String, value: String)?

  /// Takes one line, with or without its line end.
  mutating func append(_ line: some Collection<UInt8>) {
    let text = String(decoding: line, as: UTF8.self)
    let content = HTTPText.trimmed(text)
    if isComplete {
      return  // trailer fields, which are not part of the head
    } else if text.utf8.starts(with: "HTTP/".utf8) {
      begin(statusLine: content)
    } else if content.isEmpty {
      flush()
      isComplete = status >= 200
    } else if text.utf8.first == 0x20 || text.utf8.first == 0x09 {
      lastField?.value += " " + content
    } else {
      flush()
      guard let colon = content.utf8.firstIndex(of: UInt8(ascii: ":")) else { return }
      let value = content[content.utf8.index(after: colon)...]
      lastField = (String(content[..<colon]), String(HTTPText.trimmed(value)))
    }
  }

  private mutating func begin(statusLine: Substring) {
    let words = statusLine.split(separator: " ", maxSplits: 2)
    status = words.count > 1 ? Int(words[1]) ?? 0 : 0
    headers = HTTPHeaders()
    lastField = nil
  }

  private mutating func flush() {
    if let (name, value) = lastField { headers.append(name, value) }
    lastField = nil
  }
}
