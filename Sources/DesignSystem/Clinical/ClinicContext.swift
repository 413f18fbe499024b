public import Domain

/// The place in which screens are shown: whose clock, which zone, who sits there, and how patient a reader is.
public struct ClinicContext: Sendable {
  /// The clinic's zone, in which days begin and times are shown.
  public var zone: ClinicZone
  /// The present time.
  public var clock: WallClock
  private var presentAuthor: @Sendable () -> Author
  /// How readers listen, unless a line says otherwise.
  public var reading: ReadMode

  /// Creates a context.
  public init(zone: ClinicZone, clock: WallClock, author: Author, reading: ReadMode = .local) {
    self.init(zone: zone, clock: clock, reading: reading) { author }
  }

  /// Creates a context in which someone else may sit down.
  public init(
    zone: ClinicZone, clock: WallClock, reading: ReadMode, author: @escaping @Sendable () -> Author
  ) {
    self.zone = zone
    self.clock = clock
    self.reading = reading
    presentAuthor = author
  }

  /// Who writes now.
  public var author: Author {
    get { presentAuthor() }
    set { presentAuthor = { newValue } }
  }

  /// The present day in the clinic.
  public var today: CalendarDay { zone.local(clock.now()).day }

  /// How the readers of one line listen: `--fresh` waits for the server.
  public func reading(for invocation: Invocation) -> ReadMode {
    invocation.flag(FlagSpec.fresh.name) ? .settled : reading
  }
}

extension FlagSpec {
  /// Waits for the server's answer before a line answers.
  public static let fresh = FlagSpec("fresh", summary: "ask the server and wait for its answer")
}
