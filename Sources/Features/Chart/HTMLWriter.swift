import DesignSystem

/// Writes HTML with texts that cannot be anything but text.
nonisolated struct HTMLWriter {
  private(set) var text = ""

  /// Markup of our own. Nothing of a record may come this way.
  mutating func raw(_ markup: String) { text += markup }

  /// An element around a text.
  mutating func element(_ name: String, _ content: String, class style: String? = nil) {
    text += "<\(name)" + (style.map { " class=\"\($0)\"" } ?? "") + ">\(Self.escaped(content))</\(name)>\n"
  }

  /// A table; nothing without rows.
  mutating func table(_ heads: [String], _ rows: [[String]]) {
    guard !rows.isEmpty else { return }
    text += "<table>\n<thead><tr>" + heads.map { "<th>\(Self.escaped($0))</th>" }.joined() + "</tr></thead>\n<tbody>\n"
    for row in rows { text += "<tr>" + row.map { "<td>\(Self.escaped($0))</td>" }.joined() + "</tr>\n" }
    text += "</tbody>\n</table>\n"
  }

  /// A text for element content and attribute values: markup characters as references, and what is not to be seen (control
  /// and direction characters, NUL) by a stand-in.
  static func escaped(_ text: String) -> String {
    // By scalars: a bracket with a combining mark is one character, and still opens a tag.
    VisibleText.lines(text).joined(separator: "\n").unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      default: result.unicodeScalars.append(scalar)
      }
    }
  }
}
