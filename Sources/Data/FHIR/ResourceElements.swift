/// The elements that R4 defines at the top of each resource type that is read here. Others are reported, since a server
/// which checks strictly would refuse them.
enum ResourceElements {
  static let common: Set<String> = [
    "resourceType", "id", "meta", "implicitRules", "language", "text", "contained", "extension", "modifierExtension",
  ]

  static let patient: Set<String> = [
    "identifier", "active", "name", "telecom", "gender", "birthDate", "deceasedBoolean", "deceasedDateTime", "address",
    "maritalStatus", "multipleBirthBoolean", "multipleBirthInteger", "photo", "contact", "communication",
    "generalPractitioner", "managingOrganization", "link",
  ]

  static let practitioner: Set<String> = [
    "identifier", "active", "name", "telecom", "address", "gender", "birthDate", "photo", "qualification",
    "communication",
  ]

  static let location: Set<String> = [
    "identifier", "status", "operationalStatus", "name", "alias", "description", "mode", "type", "telecom", "address",
    "physicalType", "position", "managingOrganization", "partOf", "hoursOfOperation", "availabilityExceptions",
    "endpoint",
  ]

  static let appointment: Set<String> = [
    "identifier", "status", "cancelationReason", "serviceCategory", "serviceType", "specialty", "appointmentType",
    "reasonCode", "reasonReference", "priority", "description", "supportingInformation", "start", "end",
    "minutesDuration", "slot", "created", "comment", "patientInstruction", "basedOn", "participant", "requestedPeriod",
  ]

  static let observation: Set<String> = Set<String>([
    "identifier", "basedOn", "partOf", "status", "category", "code", "subject", "focus", "encounter",
    "effectiveDateTime", "effectivePeriod", "effectiveTiming", "effectiveInstant", "issued", "performer",
    "dataAbsentReason", "interpretation", "note", "bodySite", "method", "specimen", "device", "referenceRange",
    "hasMember", "derivedFrom", "component",
  ]).union(ResourceDecoder.valueTypes.map { "value" + $0 })
}
