public import Domain

extension UnsavedEntry {
  /// What was entered, for the page over which it is presented.
  public var blocks: [Block] {
    [
      .notice(Notice(.warning, "\(what) is not saved", next: "mend the line and enter it again; back gives it up")),
      .commandLines([entered]),
    ]
  }
}
