extension String {
  /// The text without white space at its ends, or `nil` when nothing else is in it.
  package var nonBlank: String? {
    guard let start = firstIndex(where: { !$0.isWhitespace }), let end = lastIndex(where: { !$0.isWhitespace })
    else { return nil }
    return String(self[start...end])
  }
}
