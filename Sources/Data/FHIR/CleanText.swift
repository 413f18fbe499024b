/// Makes text from elsewhere fit for one line of a message.
package enum CleanText {
  /// Without control and invisible formatting characters; runs of white space become one space.
  package static func line(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    var pendingSpace = false
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .spaceSeparator, .lineSeparator, .paragraphSeparator:
        pendingSpace = true
      case .format where scalar.value != 0x200C && scalar.value != 0x200D:
        continue  // Among them the marks that turn the direction of what follows. Joiners are part of words.
      case .surrogate, .privateUse, .unassigned:
        continue
      default:
        if pendingSpace, !result.isEmpty { result.append(" ") }
        pendingSpace = false
        result.append(scalar)
      }
    }
    return String(result)
  }

  /// At most so many characters, with an ellipsis where something was cut.
  package static func bounded(_ text: String, limit: Int) -> String {
    text.count <= limit ? text : text.prefix(max(0, limit - 1)) + "…"
  }
}
