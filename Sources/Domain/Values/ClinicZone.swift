import Foundation

/// The IANA time zone of a clinic: turns points in time into what its wall clock shows, and back, right across changes of
/// daylight saving time. It never looks at the zone of the host.
public struct ClinicZone: Hashable, Sendable, CustomStringConvertible {
  /// The IANA name, such as `America/New_York`.
  public let identifier: String
  private let zone: TimeZone

  /// Finds a zone by its IANA name; `nil` when it is unknown here.
  public init?(_ identifier: String) {
    guard let zone = TimeZone(identifier: identifier) else { return nil }
    self.identifier = identifier
    self.zone = zone
  }

  /// Coordinated Universal Time.
  public static let utc = ClinicZone(utc: ())

  private init(utc: Void) {
    identifier = "UTC"
    zone = .gmt
  }

  /// The IANA name.
  public var description: String { identifier }

  /// Seconds east of Greenwich at a point in time.
  public func offset(at instant: Instant) -> Int {
    offset(atSeconds: instant.secondsSince1970)
  }

  /// What the wall clock shows at a point in time.
  public func local(_ instant: Instant) -> LocalDateTime {
    LocalDateTime(secondsSince1970: instant.secondsSince1970 + Int64(offset(at: instant)))
  }

  /// The same point in time, written with this zone's offset at it.
  public func written(_ instant: Instant) -> Instant {
    instant.withOffset(seconds: offset(at: instant))
  }

  /// The zone's short English name at a point in time, such as `EST`, or the offset as `GMT+1` where it has none. It does
  /// not depend on the host's language.
  public func abbreviation(at instant: Instant) -> String {
    let date = Date(timeIntervalSince1970: Double(instant.secondsSince1970))
    let style: NSTimeZone.NameStyle = zone.isDaylightSavingTime(for: date) ? .shortDaylightSaving : .shortStandard
    return zone.localizedName(for: style, locale: Locale(identifier: "en_US")) ?? identifier
  }

  /// The points in time at which the wall clock shows this reading.
  public func instants(for local: LocalDateTime) -> LocalTimeResolution {
    let reading = local.secondsSince1970
    let earlier = offset(atSeconds: reading - 86_400)
    let later = offset(atSeconds: reading + 86_400)
    var offsets = [earlier]
    for candidate in [offset(atSeconds: reading), later] where !offsets.contains(candidate) {
      offsets.append(candidate)
    }
    let matches =
      offsets
      .filter { offset(atSeconds: reading - Int64($0)) == $0 }
      .map { reading - Int64($0) }
      .sorted()
    if let first = matches.first, let last = matches.last {
      return first == last
        ? .one(instant(atSeconds: first))
        : .twice(first: instant(atSeconds: first), second: instant(atSeconds: last))
    }
    // Read with the later offset the point lies before the jump, read with the earlier one after it.
    return .gap(
      before: instant(atSeconds: reading - Int64(max(earlier, later))),
      after: instant(atSeconds: reading - Int64(min(earlier, later))))
  }

  /// The points in time that belong to a day here: from its first moment up to the next day's first moment.
  ///
  /// 23 or 25 hours long when the clock changes; empty for a day that the zone left out.
  public func bounds(of day: CalendarDay) -> Range<Instant> {
    let lower = start(of: day)
    let upper = start(of: day.adding(days: 1))
    return lower..<max(lower, upper)
  }

  private func start(of day: CalendarDay) -> Instant {
    switch instants(for: LocalDateTime(startOf: day)) {
    case .one(let instant), .twice(let instant, _): return instant
    case .gap(let before, let after):
      // Midnight is skipped: the day begins at the jump itself, where the offset changes.
      var low = before.secondsSince1970
      var high = after.secondsSince1970
      let offsetAfter = offset(atSeconds: high)
      while low + 1 < high {
        let middle = low + (high - low) / 2
        if offset(atSeconds: middle) == offsetAfter { high = middle } else { low = middle }
      }
      return instant(atSeconds: high)
    }
  }

  private func offset(atSeconds seconds: Int64) -> Int {
    zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds)))
  }

  private func instant(atSeconds seconds: Int64) -> Instant {
    Instant(secondsSince1970: seconds, offsetSeconds: offset(atSeconds: seconds))
  }
}
