/// The search parameters that are offered: a subset of those of FHIR R4 (hl7.org/fhir/R4/searchparameter-registry.html).
enum SearchTable {
  enum Kind: String { case token, string, date, reference }

  struct Parameter {
    var kind: Kind
    /// Element paths, dotted.
    var paths: [String]
    /// The only type that a reference may have here.
    var target: String?
    /// The `system` of the contact points that count.
    var system: String?
  }

  /// The parameter of that name for that type, or nil.
  static func parameter(_ name: String, of type: String) -> Parameter? {
    own[type]?[name] ?? common[name]
  }

  /// All parameters of a type, by name.
  static func parameters(of type: String) -> [(name: String, kind: Kind)] {
    common.merging(own[type] ?? [:]) { _, own in own }.map { ($0.key, $0.value.kind) }.sorted { $0.0 < $1.0 }
  }

  /// Those that every type is searched by. Elements that a type does not have match nothing.
  private static let common = table(
    """
    identifier token identifier
    status token status
    code token code
    category token category
    type token type
    patient reference subject,patient ->Patient
    subject reference subject,patient
    encounter reference encounter
    _tag token meta.tag
    """)

  private static let own: [String: [String: Parameter]] = [
    "Patient": people
      + """
      birthdate date birthDate
      deceased token deceasedBoolean
      organization reference managingOrganization
      general-practitioner reference generalPractitioner
      link reference link.other
      """,
    "Practitioner": people,
    "RelatedPerson": people + "\npatient reference patient ->Patient",
    "PractitionerRole": """
    practitioner reference practitioner
    organization reference organization
    location reference location
    role token code
    specialty token specialty
    active token active
    """,
    "Organization": """
    name string name,alias
    active token active
    partof reference partOf
    """,
    "Location": """
    name string name,alias
    organization reference managingOrganization
    partof reference partOf
    address string address
    """,
    "Schedule": """
    actor reference actor
    date date planningHorizon
    active token active
    """,
    "Slot": """
    schedule reference schedule
    start date start
    """,
    "Appointment": """
    date date start
    actor reference participant.actor
    patient reference participant.actor ->Patient
    practitioner reference participant.actor ->Practitioner
    location reference participant.actor ->Location
    part-status token participant.status
    appointment-type token appointmentType
    service-type token serviceType
    reason-code token reasonCode
    slot reference slot
    """,
    "Encounter": """
    date date period
    class token class
    participant reference participant.individual
    practitioner reference participant.individual ->Practitioner
    location reference location.location
    appointment reference appointment
    """,
    "Observation": """
    date date effectiveDateTime,effectivePeriod,effectiveInstant
    performer reference performer
    based-on reference basedOn
    component-code token component.code
    combo-code token code,component.code
    """,
    "Condition": """
    clinical-status token clinicalStatus
    verification-status token verificationStatus
    onset-date date onsetDateTime,onsetPeriod
    recorded-date date recordedDate
    """,
    "AllergyIntolerance": """
    clinical-status token clinicalStatus
    verification-status token verificationStatus
    date date recordedDate
    """,
    "MedicationRequest": """
    code token medicationCodeableConcept
    medication reference medicationReference
    intent token intent
    authoredon date authoredOn
    requester reference requester
    """,
    "Immunization": """
    date date occurrenceDateTime
    vaccine-code token vaccineCode
    """,
    "DocumentReference": """
    date date date
    author reference author
    encounter reference context.encounter
    """,
    "Provenance": """
    target reference target
    recorded date recorded
    agent reference agent.who
    """,
    "Procedure": "date date performedDateTime,performedPeriod",
    "DiagnosticReport": """
    date date effectiveDateTime,effectivePeriod
    result reference result
    based-on reference basedOn
    """,
    "ServiceRequest": """
    authored date authoredOn
    requester reference requester
    """,
  ].mapValues(table)

  private static let people = """
    name string name
    family string name.family
    given string name.given
    phone token telecom @phone
    email token telecom @email
    telecom token telecom
    gender token gender
    active token active
    address string address

    """

  private static func table(_ text: String) -> [String: Parameter] {
    var table: [String: Parameter] = [:]
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ").map(String.init)
      guard words.count >= 3, let kind = Kind(rawValue: words[1]) else { continue }
      let extra = words.count > 3 ? words[3] : ""
      table[words[0]] = Parameter(
        kind: kind, paths: words[2].split(separator: ",").map(String.init),
        target: extra.hasPrefix("->") ? String(extra.dropFirst(2)) : nil,
        system: extra.hasPrefix("@") ? String(extra.dropFirst()) : nil)
    }
    return table
  }
}
