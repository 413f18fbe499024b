/// What a reading of the wall clock means in one zone.
public enum LocalTimeResolution: Hashable, Sendable {
  /// The clock shows it once.
  case one(Instant)
  /// The clock jumps over it. `before` and `after` lie as far from the jump, on either side, as the reading lies inside
  /// it: for 02:30 in a gap from 02:00 to 03:00 they are 01:30 and 03:30.
  case gap(before: Instant, after: Instant)
  /// The clock shows it twice, since it is set back.
  case twice(first: Instant, second: Instant)

  /// The only meaning, or `nil` when someone has to decide.
  public var only: Instant? {
    if case .one(let instant) = self { instant } else { nil }
  }
}
