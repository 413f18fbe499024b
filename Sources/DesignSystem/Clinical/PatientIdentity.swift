public import Domain

/// What tells a patient apart: shown with every appointment and observation, and echoed by every write.
public struct PatientIdentity: Hashable, Sendable {
  /// The local id.
  public var id: Patient.ID
  /// The name, else an identifier, else the id. Never empty.
  public var displayName: String
  /// The name; `nil` when none is recorded.
  public var name: String?
  /// The birth date as recorded, with the age, or in words why there is none.
  public var birth: String
  /// The birth date exactly as recorded; `nil` when there is none.
  public var birthDate: String?
  /// Why there is no birth date, when the record says so.
  public var birthDateAbsentReason: String?
  /// The identifier that is shown, such as `MRN 0909`; `nil` when none is recorded.
  public var identifier: String?

  /// Sums up a patient.
  ///
  /// - Parameter today: The day for which the age is told.
  public init(_ patient: Patient, today: CalendarDay) {
    id = patient.id
    displayName = patient.displayName
    name = patient.nameText
    birthDate = patient.birthDate.value?.description
    if case .absent(let reason) = patient.birthDate { birthDateAbsentReason = reason.rawValue }
    let age = patient.age(on: today).map { " (\($0))" } ?? ""
    birth = patient.birthDateText + age
    identifier = patient.identifier.preferred?.displayText
  }

  /// On one line: `Pérez, Ana · born 1980-05-17 (46 years) · MRN 0909`.
  public var text: String {
    var parts = [displayName, birthDate == nil ? birth : "born \(birth)"]
    if let identifier, identifier != displayName { parts.append(identifier) }
    if identifier == nil, displayName != id.rawValue { parts.append("id \(id)") }
    return parts.joined(separator: " · ")
  }

  /// For programs: nothing is put in the place of what is not recorded.
  public var record: RecordValue {
    .object([
      Record.Field("id", .string(id.rawValue)),
      Record.Field("name", .optional(name)),
      Record.Field("birthDate", .optional(birthDate)),
      Record.Field("birthDateAbsentReason", .optional(birthDateAbsentReason)),
      Record.Field("identifier", .optional(identifier)),
    ])
  }
}
