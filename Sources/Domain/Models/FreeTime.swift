/// What is left of open time when the taken time is cut out of it. Pure arithmetic on half-open spans.
public enum FreeTime {
  /// Spans that touch or overlap as one, by start.
  public static func merged(_ spans: [Range<Instant>]) -> [Range<Instant>] {
    var merged: [Range<Instant>] = []
    for span in spans.sorted(by: { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) })
    where !span.isEmpty {
      if let last = merged.last, span.lowerBound <= last.upperBound {
        merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, span.upperBound)
      } else {
        merged.append(span)
      }
    }
    return merged
  }

  /// Whether a span touches none of the others.
  public static func isFree(_ span: Range<Instant>, busy: [Range<Instant>]) -> Bool {
    !busy.contains { $0.lowerBound < span.upperBound && span.lowerBound < $0.upperBound }
  }

  /// The spans of one length that fit into open time and touch nothing that is taken, one behind the other from the
  /// beginning of each open span on.
  ///
  /// - Parameter seconds: the length; positive.
  public static func slots(ofSeconds seconds: Int64, in open: [Range<Instant>], busy: [Range<Instant>])
    -> [Range<Instant>]
  {
    guard seconds > 0 else { return [] }
    var slots: [Range<Instant>] = []
    for span in merged(open) {
      var start = span.lowerBound
      while start.adding(seconds: seconds) <= span.upperBound {
        let slot = start..<start.adding(seconds: seconds)
        if isFree(slot, busy: busy) { slots.append(slot) }
        start = slot.upperBound
      }
    }
    return slots
  }
}
