extension Appointment {
  /// When the appointment takes place: from its start up to its end, the end not included. Without an end it lasts its
  /// planned minutes. `nil` without a start, without a length, or when the end lies before the start.
  public var interval: Range<Instant>? {
    guard let start else { return nil }
    guard let end = end ?? minutesDuration.map({ start.adding(seconds: Int64($0) * 60) }), start < end else {
      return nil
    }
    return start..<end
  }

  /// Whether the appointment takes up time: an unknown state counts as taking it up, so that nothing is booked over it.
  public var occupiesTime: Bool { status?.known?.occupiesTime ?? true }

  /// Whether both take up the same time. One that ends when the other begins does not collide with it.
  public func overlaps(_ other: Appointment) -> Bool {
    guard occupiesTime, other.occupiesTime, let mine = interval, let theirs = other.interval else { return false }
    return mine.lowerBound < theirs.upperBound && theirs.lowerBound < mine.upperBound
  }

  /// The participants on account of whom both collide: taken up by both at once. Empty when they do not overlap, and for
  /// one appointment with itself.
  public func collisions(with other: Appointment) -> Set<ResourceKey> {
    guard id != other.id, overlaps(other) else { return [] }
    return busyKeys.intersection(other.busyKeys)
  }

  /// Whoever and whatever is taken up by it.
  var busyKeys: Set<ResourceKey> {
    Set(participant.filter { $0.status != .known(.declined) }.compactMap { $0.actor?.key })
  }
}
