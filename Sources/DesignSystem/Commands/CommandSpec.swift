/// Everything about one command but what it does: one table parses, explains and completes from it.
public struct CommandSpec: Sendable, Equatable {
  /// Whether a command changes anything.
  public enum Effects: Sendable, Equatable {
    /// Answers only, or changes something.
    case read, write
  }

  /// The words that name it: `["patients", "search"]`.
  public var path: [String]
  /// One phrase in the imperative, without a full stop.
  public var summary: String
  /// In the order in which they are typed: required ones, then optional ones, then at most one that takes the rest.
  public var arguments: [ArgumentSpec]
  /// Options with a value.
  public var options: [OptionSpec]
  /// Options without a value.
  public var flags: [FlagSpec]
  /// Whole lines without the program's name. Tests parse them.
  public var examples: [String]
  /// Whether it changes anything; one that does echoes what it changed.
  public var effects: Effects
  /// Paragraphs for `help`, if the summary does not suffice.
  public var discussion: [String]

  /// Creates a specification.
  public init(
    path: [String], summary: String, arguments: [ArgumentSpec] = [], options: [OptionSpec] = [],
    flags: [FlagSpec] = [], examples: [String] = [], effects: Effects = .read, discussion: [String] = []
  ) {
    self.path = path
    self.summary = summary
    self.arguments = arguments
    self.options = options
    self.flags = flags
    self.examples = examples
    self.effects = effects
    self.discussion = discussion
  }

  /// The path as typed: `patients search`.
  public var name: String { path.joined(separator: " ") }
}

/// An argument by position.
public struct ArgumentSpec: Sendable, Equatable {
  /// How many words it takes.
  public enum Arity: Sendable, Equatable {
    /// Exactly one.
    case required
    /// One or none.
    case optional
    /// All that are left, but at least this many.
    case rest(atLeast: Int)
  }

  /// By which `Invocation` finds it; printed in upper case. Unique among the command's arguments, options and flags.
  public var name: String
  /// What its value must look like.
  public var kind: ValueKind
  /// How many words it takes.
  public var arity: Arity
  /// One phrase for `help`, without a full stop.
  public var summary: String

  /// Creates an argument; required unless said otherwise.
  public init(_ name: String, _ kind: ValueKind = .text, _ arity: Arity = .required, summary: String = "") {
    self.name = name
    self.kind = kind
    self.arity = arity
    self.summary = summary
  }
}

/// An option with a value: `--family NAME` or `--family=NAME`.
public struct OptionSpec: Sendable, Equatable {
  /// Without the dashes, by which `Invocation` finds it.
  public var name: String
  /// What its value must look like.
  public var kind: ValueKind
  /// Whether it may be given more than once; otherwise a second one is an error.
  public var repeats: Bool
  /// What stands for the value in usage lines; by default the kind's word.
  public var placeholder: String
  /// One phrase for `help`, without a full stop.
  public var summary: String
  /// Whether the command needs it.
  public var isRequired: Bool

  /// Creates a specification.
  public init(
    _ name: String, _ kind: ValueKind = .text, repeats: Bool = false, required: Bool = false,
    placeholder: String? = nil, summary: String
  ) {
    self.name = name
    self.kind = kind
    self.repeats = repeats
    self.isRequired = required
    self.placeholder = placeholder ?? kind.placeholder
    self.summary = summary
  }
}

/// An option without a value: `--yes`.
public struct FlagSpec: Sendable, Equatable {
  /// Without the dashes.
  public var name: String
  /// One phrase for `help`, without a full stop.
  public var summary: String

  /// Creates a flag.
  public init(_ name: String, summary: String) {
    self.name = name
    self.summary = summary
  }

  /// Answers the question of a destructive command; gives `Invocation.confirmed`.
  public static let yes = FlagSpec("yes", summary: "do it without asking")
}

/// What an argument or an option's value must look like. The table checks it, so commands see well-formed values only.
public enum ValueKind: Sendable, Equatable {
  /// Any text, also an empty one.
  case text
  /// A whole number.
  case integer
  /// A decimal number whose spelling is kept.
  case decimal
  /// A day: ISO 8601, or a word that `DateWords` knows.
  case date
  /// A year, a month or a day, as precise as it is known: `1980`, `1980-05`, `1980-05-17`.
  case partialDate
  /// A time of day: `9:30`, `09:00`, `9.30`.
  case time
  /// A day and a time: `2026-03-04T09:30`, or `tomorrow 9:30` as one word or, by position, as two.
  case dateTime
  /// A length of time: `30min`, `1h`, `1h30`, `45` (minutes), `30s`.
  case duration
  /// A number of bytes: `500kB`, `10MB`, `1GB`, `1048576`.
  case size
  /// A record: an id, an identifier, or the number of a printed row.
  case ref
  /// A patient, by the same words as any record; names are completed.
  case patient
  /// The path of a file or folder. Only its form is checked.
  case file
  /// One of these words.
  case choice([String])

  /// Whether such a value names a record.
  public var isReference: Bool { self == .ref || self == .patient }

  /// What stands for such a value in usage lines.
  public var placeholder: String {
    switch self {
    case .text: "TEXT"
    case .integer: "N"
    case .decimal: "NUMBER"
    case .date: "DAY"
    case .partialDate: "DATE"
    case .time: "TIME"
    case .dateTime: "WHEN"
    case .duration: "DURATION"
    case .size: "SIZE"
    case .ref, .patient: "REF"
    case .file: "FILE"
    case .choice(let words): words.joined(separator: "|")
    }
  }
}
