/// The elements of the types that a clinic's client writes, by their names in FHIR R4 (hl7.org/fhir/R4/resourcelist.html).
enum ElementTable {
  /// The first element of a resource that its type does not have, or nil; nil too for types that are not listed here.
  static func unknownElement(in names: some Sequence<String>, of type: String) -> String? {
    guard let own = elements[type] else { return nil }
    return names.first { name in
      let plain = name.hasPrefix("_") ? String(name.dropFirst()) : name
      return !common.contains(plain) && !own.contains(plain) && !isChoice(plain, own)
    }
  }

  /// Whether the name is a choice, `value[x]`, with its type.
  private static func isChoice(_ name: String, _ own: Set<String>) -> Bool {
    name.indices.contains { $0 > name.startIndex && name[$0].isUppercase && own.contains(name[..<$0] + "[x]") }
  }

  private static func words(_ text: String) -> Set<String> {
    Set(text.split(whereSeparator: \.isWhitespace).map(String.init))
  }

  private static let common = words(
    "resourceType id meta implicitRules language text contained extension modifierExtension")

  private static let elements: [String: Set<String>] = [
    "Patient": words(
      """
      identifier active name telecom gender birthDate deceased[x] address maritalStatus multipleBirth[x] photo
      contact communication generalPractitioner managingOrganization link
      """),
    "Practitioner": words(
      """
      identifier active name telecom address gender birthDate photo qualification communication
      """),
    "PractitionerRole": words(
      """
      identifier active period practitioner organization code specialty location healthcareService telecom
      availableTime notAvailable availabilityExceptions endpoint
      """),
    "Organization": words(
      """
      identifier active type name alias telecom address partOf contact endpoint
      """),
    "Location": words(
      """
      identifier status operationalStatus name alias description mode type telecom address physicalType
      position managingOrganization partOf hoursOfOperation availabilityExceptions endpoint
      """),
    "Schedule": words(
      """
      identifier active serviceCategory serviceType specialty actor planningHorizon comment
      """),
    "Slot": words(
      """
      identifier serviceCategory serviceType specialty appointmentType schedule status start end overbooked
      comment
      """),
    "Appointment": words(
      """
      identifier status cancelationReason serviceCategory serviceType specialty appointmentType reasonCode
      reasonReference priority description supportingInformation start end minutesDuration slot created
      comment patientInstruction basedOn participant requestedPeriod
      """),
    "Encounter": words(
      """
      identifier status statusHistory class classHistory type serviceType priority subject episodeOfCare
      basedOn participant appointment period length reasonCode reasonReference diagnosis account
      hospitalization location serviceProvider partOf
      """),
    "Observation": words(
      """
      identifier basedOn partOf status category code subject focus encounter effective[x] issued performer
      value[x] dataAbsentReason interpretation note bodySite method specimen device referenceRange hasMember
      derivedFrom component
      """),
    "Condition": words(
      """
      identifier clinicalStatus verificationStatus category severity code bodySite subject encounter onset[x]
      abatement[x] recordedDate recorder asserter stage evidence note
      """),
    "AllergyIntolerance": words(
      """
      identifier clinicalStatus verificationStatus type category criticality code patient encounter onset[x]
      recordedDate recorder asserter lastOccurrence note reaction
      """),
    "MedicationRequest": words(
      """
      identifier status statusReason intent category priority doNotPerform reported[x] medication[x] subject
      encounter supportingInformation authoredOn requester performer performerType recorder reasonCode
      reasonReference instantiatesCanonical instantiatesUri basedOn groupIdentifier courseOfTherapyType
      insurance note dosageInstruction dispenseRequest substitution priorPrescription detectedIssue
      eventHistory
      """),
    "Immunization": words(
      """
      identifier status statusReason vaccineCode patient encounter occurrence[x] recorded primarySource
      reportOrigin location manufacturer lotNumber expirationDate site route doseQuantity performer note
      reasonCode reasonReference isSubpotent subpotentReason education programEligibility fundingSource
      reaction protocolApplied
      """),
    "DocumentReference": words(
      """
      masterIdentifier identifier status docStatus type category subject date author authenticator custodian
      relatesTo description securityLabel content context
      """),
    "Provenance": words(
      """
      target occurred[x] recorded policy location reason activity agent entity signature
      """),
  ]
}
