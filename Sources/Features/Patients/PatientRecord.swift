import DesignSystem
import Domain

/// One patient for programs, with all that is read of the record.
nonisolated enum PatientRecord {
  static func record(_ display: PatientDisplay) -> Record {
    let patient = display.patient
    return Record(
      "patient",
      [
        "id": .string(patient.id.rawValue), "name": .optional(patient.nameText),
        "names": .array(patient.name.map(name)), "birthDate": .optional(display.identity.birthDate),
        "birthDateAbsentReason": .optional(display.identity.birthDateAbsentReason),
        "gender": .optional(patient.gender?.rawValue), "identifiers": .array(patient.identifier.map(identifier)),
        "contacts": .array(patient.telecom.map(contact)), "addresses": .array(patient.address.map(address)),
        "active": patient.active.map(RecordValue.bool) ?? .null, "deceased": deceased(patient.deceased),
        "genderAbsentReason": .optional(patient.genderAbsentReason?.rawValue), "links": .array(patient.link.map(link)),
        "replacedBy": .optional(patient.replacedBy?.rawValue), "inUse": .bool(patient.isCurrent),
        "deleted": .bool(display.status.isDeleted), "pending": .bool(display.status.pendingWrites > 0),
      ])
  }

  private static func name(_ name: HumanName) -> RecordValue {
    [
      "absentReason": .optional(name.absentReason?.rawValue), "use": .optional(name.use?.rawValue),
      "text": .optional(name.text), "family": .optional(name.family),
      "given": .strings(name.given), "prefix": .strings(name.prefix), "suffix": .strings(name.suffix),
      "period": period(name.period),
    ]
  }

  private static func identifier(_ identifier: Identifier) -> RecordValue {
    [
      "use": .optional(identifier.use?.rawValue), "type": .optional(identifier.type?.displayText),
      "system": .optional(identifier.system), "value": .optional(identifier.value),
      "period": period(identifier.period),
    ]
  }

  private static func contact(_ point: ContactPoint) -> RecordValue {
    [
      "absentReason": .optional(point.absentReason?.rawValue), "system": .optional(point.system?.rawValue),
      "use": .optional(point.use?.rawValue),
      "value": .optional(point.value), "rank": point.rank.map(RecordValue.integer) ?? .null,
      "period": period(point.period),
    ]
  }

  private static func address(_ address: Address) -> RecordValue {
    [
      "absentReason": .optional(address.absentReason?.rawValue), "use": .optional(address.use?.rawValue),
      "text": .optional(address.text), "line": .strings(address.line),
      "city": .optional(address.city), "district": .optional(address.district), "state": .optional(address.state),
      "postalCode": .optional(address.postalCode), "country": .optional(address.country),
      "period": period(address.period),
    ]
  }

  private static func link(_ link: Patient.Link) -> RecordValue {
    ["type": .string(link.type.rawValue), "other": .optional(link.other.displayText)]
  }

  private static func period(_ period: Period?) -> RecordValue {
    guard let period else { return .null }
    return ["start": .optional(period.start?.description), "end": .optional(period.end?.description)]
  }

  private static func deceased(_ deceased: Patient.Deceased?) -> RecordValue {
    switch deceased {
    case .boolean(let flag): .bool(flag)
    case .dateTime(let time): .string(time.description)
    case nil: .null
    }
  }
}
