public import Domain

/// A line that was understood: a command with the values it was given, each already checked against its kind.
public struct Invocation: Sendable, Equatable {
  /// The command's specification.
  public var spec: CommandSpec
  /// Values of arguments and options by name, in the order given.
  private var values: [String: [String]]
  private var flags: Set<String>
  private var references: [String: [RecordReference]]

  /// Creates an invocation from values that are known to be well formed; lines are read by `CommandTable.parse`.
  public init(
    spec: CommandSpec, values: [String: [String]] = [:], flags: Set<String> = [],
    references: [String: [RecordReference]] = [:]
  ) {
    self.spec = spec
    self.values = values
    self.flags = flags
    self.references = references
  }

  /// Whether the question of a destructive command is already answered with yes.
  public var confirmed: Bool {
    get { flags.contains(FlagSpec.yes.name) }
    set { if newValue { flags.insert(FlagSpec.yes.name) } else { flags.remove(FlagSpec.yes.name) } }
  }

  /// The value of a required argument or option; several words of one argument are joined by spaces.
  /// An argument that was not given is empty.
  public func text(_ name: String) -> String {
    all(name).joined(separator: " ")
  }

  /// The value of an optional argument, if given; several words of one argument are joined by spaces.
  public func optionalText(_ name: String) -> String? {
    all(name).isEmpty ? nil : text(name)
  }

  /// The value of an option, if given; the last one if it repeats.
  public func option(_ name: String) -> String? {
    all(name).last
  }

  /// All values of an argument or option, in the order given.
  public func all(_ name: String) -> [String] {
    values[name] ?? []
  }

  /// Whether a flag is given.
  public func flag(_ name: String) -> Bool {
    flags.contains(name)
  }

  /// The record that a required argument or option names.
  public func ref(_ name: String) -> RecordReference {
    optionalRef(name) ?? .text(text(name))
  }

  /// The record that an optional argument or option names, if given.
  public func optionalRef(_ name: String) -> RecordReference? {
    references[name]?.last
  }

  /// The value as a whole number, if given.
  public func integer(_ name: String) -> Int? {
    option(name).flatMap { Int($0) }
  }

  /// The day that a `date` value names, if given.
  public func day(_ name: String, today: CalendarDay) -> CalendarDay? {
    option(name).flatMap { DateWords.parse($0, today: today) }
  }

  /// The date of a `partialDate` value, as precise as it was written, if given.
  public func partialDate(_ name: String) -> PartialDate? {
    option(name).flatMap { PartialDate($0) }
  }

  /// The time of day of a `time` value, if given.
  public func time(_ name: String) -> TimeOfDay? {
    option(name).flatMap(TimeOfDay.init(parsing:))
  }

  /// The day and time of a `dateTime` value on the clinic's clock, if given.
  public func localDateTime(_ name: String, today: CalendarDay) -> LocalDateTime? {
    option(name).flatMap { DateWords.parseDayAndTime($0, today: today) }
  }

  /// The bytes of a `size` value, if given.
  public func bytes(_ name: String) -> Int? {
    option(name).flatMap(SizeWords.bytes)
  }

  /// The length of a `duration` value in seconds, if given.
  public func seconds(_ name: String) -> Int? {
    option(name).flatMap(DurationWords.seconds)
  }
}

extension Invocation {
  /// The line that means the same, whole and quoted: to be mended and typed again. Rows stand as the records that they
  /// showed, and a question is not answered.
  public var line: String {
    // A day and its time are two words of one argument.
    let words = spec.arguments.flatMap { argument in
      argument.kind == .dateTime
        ? all(argument.name).flatMap { $0.split(separator: " ").map(String.init) } : typed(argument.name)
    }
    var parts = spec.path
    let isSafe = !words.contains { $0.hasPrefix("-") }
    if isSafe { parts += words.map(LineParser.quoted) }
    for option in spec.options {
      for word in typed(option.name) {
        let quoted = LineParser.quoted(word)
        parts += word.hasPrefix("-") ? ["--\(option.name)=\(quoted)"] : ["--\(option.name)", quoted]
      }
    }
    parts += spec.flags.map(\.name).filter(flags.contains).map { "--\($0)" }
    return (parts + (isSafe ? [] : ["--"] + words.map(LineParser.quoted))).joined(separator: " ")
  }

  private func typed(_ name: String) -> [String] {
    guard let records = references[name] else { return all(name) }
    return records.map { reference in
      switch reference {
      case .row(_, let target): "\(target.kind)/\(target.id)"
      case .text(let word): word
      }
    }
  }
}
