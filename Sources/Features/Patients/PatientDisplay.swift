public import DesignSystem
public import Domain

/// One patient, ready to be shown. What is not recorded is absent, never made up.
public nonisolated struct PatientDisplay: Hashable, Sendable {
  /// The model behind it, for programs.
  public var patient: Patient
  /// Who it is.
  public var identity: PatientIdentity
  /// All names, with their use and time.
  public var names: [String]
  /// All identifiers, with their system.
  public var identifiers: [String]
  /// Other records of the same person, and how they are related.
  public var links: [String]
  /// The gender as recorded, or in words why it is not given.
  public var gender: String?
  /// Ways to reach the patient, with their kind.
  public var contacts: [Contact]
  /// Addresses, with their use.
  public var addresses: [String]
  /// Whether and when the patient died, in words; `nil` when nothing says so.
  public var deceased: String?
  /// What should be known before anything else.
  public var notices: [Notice]
  /// The answer's age and state.
  public var status: AnswerStatus
  /// The clinic's zone.
  public var zone: ClinicZone

  /// A way to reach the patient.
  public struct Contact: Hashable, Sendable {
    /// `phone`, `email` and the like.
    public var label: String
    /// The number or address, with its use.
    public var value: String
  }

  /// Something that should be known.
  public struct Notice: Hashable, Sendable {
    /// What is the case.
    public var text: String
    /// What to do next.
    public var next: String?
  }

  init(_ patient: Patient, status: AnswerStatus, context: ClinicContext) {
    self.patient = patient
    self.status = status
    zone = context.zone
    identity = PatientIdentity(patient, today: context.today)
    names = patient.name.compactMap { Self.text($0) }
    identifiers = patient.identifier.compactMap { Self.text($0) }
    links = patient.link.filter { $0.type != .known(.replacedBy) }.compactMap(Self.text)
    gender = patient.gender?.rawValue ?? patient.genderAbsentReason.map(Self.withheld)
    contacts = patient.telecom.compactMap { point in
      let value = point.displayText ?? point.absentReason.map(Self.withheld)
      return value.map {
        Contact(
          label: point.system?.rawValue ?? "contact", value: Self.qualified($0, use: nil, period: point.period))
      }
    }
    addresses = patient.address.compactMap { address in
      (address.displayText ?? address.absentReason.map(Self.withheld)).map {
        Self.qualified($0, use: address.use?.rawValue, period: address.period)
      }
    }
    switch patient.deceased {
    case .dateTime(let time): deceased = "died \(time.displayText(in: context.zone))"
    case .boolean(true): deceased = "died, date not recorded"
    case .boolean(false), nil: deceased = nil
    }
    notices = Self.notices(patient, status: status)
  }

  private static func notices(_ patient: Patient, status: AnswerStatus) -> [Notice] {
    var notices: [Notice] = []
    if status.isDeleted {
      notices.append(Notice(text: "this record was deleted at the server; it takes nothing new", next: nil))
    }
    if let replacement = patient.replacedBy {
      notices.append(
        Notice(text: "this record was merged into another one", next: "patients show \(replacement.key)"))
    } else if patient.isReplaced {
      notices.append(Notice(text: "this record was merged into another one that it does not name", next: nil))
    }
    if patient.active == false { notices.append(Notice(text: "this record is out of use", next: nil)) }
    return notices
  }

  private static func text(_ name: HumanName) -> String? {
    (name.displayText ?? name.absentReason.map(withheld)).map {
      qualified($0, use: name.use?.rawValue, period: name.period)
    }
  }

  private static func withheld(_ reason: OpenCode<DataAbsentReason>) -> String { "not given (\(reason.rawValue))" }

  private static func text(_ link: Patient.Link) -> String? {
    guard let other = link.other.displayText else { return nil }
    switch link.type.known {
    case .replaces: return "\(other), which this one replaces"
    case .refer: return "\(other), which holds more"
    case .seeAlso: return "\(other), of the same person"
    case .replacedBy, nil: return "\(other) (\(link.type.rawValue))"
    }
  }

  private static func text(_ identifier: Identifier) -> String? {
    guard let shown = identifier.displayText else { return nil }
    let system = identifier.system.map { " — \($0)" } ?? ""
    return qualified(shown, use: identifier.use?.rawValue, period: identifier.period) + system
  }

  /// `text (use, until 2019-03-01)`; nothing in brackets when nothing is recorded.
  private static func qualified(_ text: String, use: String?, period: Period?) -> String {
    var parts: [String] = []
    if let use, !use.isEmpty { parts.append(use) }
    if let start = period?.start { parts.append("from \(start)") }
    if let end = period?.end { parts.append("until \(end)") }
    return parts.isEmpty ? text : "\(text) (\(parts.joined(separator: ", ")))"
  }
}
