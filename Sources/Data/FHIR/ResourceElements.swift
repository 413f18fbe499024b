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

  static let schedule: Set<String> = [
    "identifier", "active", "serviceCategory", "serviceType", "specialty", "actor", "planningHorizon", "comment",
  ]

  static let slot: Set<String> = [
    "identifier", "serviceCategory", "serviceType", "specialty", "appointmentType", "schedule", "status", "start",
    "end", "overbooked", "comment",
  ]

  static let observation: Set<String> = Set<String>([
    "identifier", "basedOn", "partOf", "status", "category", "code", "subject", "focus", "encounter",
    "effectiveDateTime", "effectivePeriod", "effectiveTiming", "effectiveInstant", "issued", "performer",
    "dataAbsentReason", "interpretation", "note", "bodySite", "method", "specimen", "device", "referenceRange",
    "hasMember", "derivedFrom", "component",
  ]).union(ResourceDecoder.valueTypes.map { "value" + $0 })

  static let encounter: Set<String> = [
    "identifier", "status", "statusHistory", "class", "classHistory", "type", "serviceType", "priority", "subject",
    "episodeOfCare", "basedOn", "participant", "appointment", "period", "length", "reasonCode", "reasonReference",
    "diagnosis", "account", "hospitalization", "location", "serviceProvider", "partOf",
  ]

  static let condition: Set<String> = Set<String>([
    "identifier", "clinicalStatus", "verificationStatus", "category", "severity", "code", "bodySite", "subject",
    "encounter", "recordedDate", "recorder", "asserter", "stage", "evidence", "note",
  ]).union(ResourceDecoder.onsetTypes.flatMap { ["onset" + $0, "abatement" + $0] })

  static let allergyIntolerance: Set<String> = Set<String>([
    "identifier", "clinicalStatus", "verificationStatus", "type", "category", "criticality", "code", "patient",
    "encounter", "recordedDate", "recorder", "asserter", "lastOccurrence", "note", "reaction",
  ]).union(ResourceDecoder.onsetTypes.map { "onset" + $0 })

  static let medicationRequest: Set<String> = [
    "identifier", "status", "statusReason", "intent", "category", "priority", "doNotPerform", "reportedBoolean",
    "reportedReference", "medicationCodeableConcept", "medicationReference", "subject", "encounter",
    "supportingInformation", "authoredOn", "requester", "performer", "performerType", "recorder", "reasonCode",
    "reasonReference", "instantiatesCanonical", "instantiatesUri", "basedOn", "groupIdentifier",
    "courseOfTherapyType", "insurance", "note", "dosageInstruction", "dispenseRequest", "substitution",
    "priorPrescription", "detectedIssue", "eventHistory",
  ]

  static let immunization: Set<String> = [
    "identifier", "status", "statusReason", "vaccineCode", "patient", "encounter", "occurrenceDateTime",
    "occurrenceString", "recorded", "primarySource", "reportOrigin", "location", "manufacturer", "lotNumber",
    "expirationDate", "site", "route", "doseQuantity", "performer", "note", "reasonCode", "reasonReference",
    "isSubpotent", "subpotentReason", "education", "programEligibility", "fundingSource", "reaction",
    "protocolApplied",
  ]

  static let documentReference: Set<String> = [
    "masterIdentifier", "identifier", "status", "docStatus", "type", "category", "subject", "date", "author",
    "authenticator", "custodian", "relatesTo", "description", "securityLabel", "content", "context",
  ]
}
