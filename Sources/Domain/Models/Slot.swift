/// A piece of time in a ``Schedule`` that may be booked, or may not (hl7.org/fhir/R4/slot.html).
public struct Slot: ResourceModel {
  /// The id of a slot.
  public typealias ID = ResourceID<Slot>

  /// `Slot`.
  public static let resourceType = "Slot"

  /// The logical id.
  public var id: ID
  /// Whether it can be booked; `nil` when the record withholds it.
  public var status: OpenCode<Status>?
  /// The schedule of which it is a part.
  public var schedule: Reference<Schedule>?
  /// When it starts.
  public var start: Instant?
  /// When it ends; this moment is no longer part of it.
  public var end: Instant?
  /// Whether more was booked into it than it holds.
  public var overbooked: Bool?
  /// More about it.
  public var comment: String?

  /// Makes a slot.
  public init(
    id: ID, status: OpenCode<Status>?, schedule: Reference<Schedule>? = nil, start: Instant? = nil,
    end: Instant? = nil, overbooked: Bool? = nil, comment: String? = nil
  ) {
    self.id = id
    self.status = status
    self.schedule = schedule
    self.start = start
    self.end = end
    self.overbooked = overbooked
    self.comment = comment
  }

  /// Whether a slot can be booked (hl7.org/fhir/R4/valueset-slotstatus.html).
  public enum Status: String, CaseIterable, Hashable, Sendable {
    /// Taken.
    case busy
    /// Can be booked.
    case free
    /// Kept out of bookings.
    case busyUnavailable = "busy-unavailable"
    /// Taken, not for certain.
    case busyTentative = "busy-tentative"
    /// Should never have been recorded.
    case enteredInError = "entered-in-error"
  }

  /// From its start up to its end, the end not included; `nil` when that is not recorded, or the end lies before.
  public var interval: Range<Instant>? {
    guard let start, let end, start < end else { return nil }
    return start..<end
  }

  /// Whether it can be booked. What is not known does not count as free.
  public var isFree: Bool { status == .known(.free) }

  /// Whether it was entered in error, and so says nothing about anyone's time.
  public var isWithdrawn: Bool { status == .known(.enteredInError) }
}
