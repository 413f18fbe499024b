import JSON

/// The elements that the models know, written down apart from the code under test.
enum KnownElements {
  private static let identifier = ["use": "", "type": "Concept", "system": "", "value": "", "period": "Period"]
  private static let types: [String: [String: String]] = [
    "Period": ["start": "", "end": ""],
    "Coding": ["system": "", "version": "", "code": "", "display": "", "userSelected": ""],
    "Concept": ["coding": "Coding", "text": ""],
    "Identifier": identifier,
    "Name": ["use": "", "text": "", "family": "", "given": "", "prefix": "", "suffix": "", "period": "Period"],
    "Contact": ["system": "", "value": "", "use": "", "rank": "", "period": "Period"],
    "Address": [
      "use": "", "type": "", "text": "", "line": "", "city": "", "district": "", "state": "", "postalCode": "",
      "country": "", "period": "Period",
    ],
    "Reference": ["reference": "", "type": "", "identifier": "Identifier", "display": ""],
    "Quantity": ["value": "", "comparator": "", "unit": "", "system": "", "code": ""],
    "Note": ["authorReference": "Reference", "authorString": "", "time": "", "text": ""],
    "Range": ["low": "Quantity", "high": "Quantity", "type": "Concept", "text": ""],
    "Link": ["other": "Reference", "type": ""],
    "Participant": ["type": "Concept", "actor": "Reference", "status": ""],
    "Component": result.merging(["code": "Concept"]) { $1 },
    "Patient": person.merging([
      "deceasedBoolean": "", "deceasedDateTime": "", "link": "Link",
    ]) { $1 },
    "Practitioner": person,
    "Location": [
      "resourceType": "", "id": "", "identifier": "Identifier", "status": "", "name": "", "alias": "",
      "description": "",
      "type": "Concept", "telecom": "Contact", "address": "Address", "partOf": "Reference",
    ],
    "Appointment": [
      "resourceType": "", "id": "", "identifier": "Identifier", "status": "", "cancelationReason": "Concept",
      "serviceType": "Concept", "reasonCode": "Concept", "description": "", "start": "", "end": "",
      "minutesDuration": "", "slot": "Reference", "comment": "", "participant": "Participant",
    ],
    "Observation": result.merging([
      "resourceType": "", "id": "", "identifier": "Identifier", "status": "", "category": "Concept", "code": "Concept",
      "subject": "Reference", "encounter": "Reference", "effectiveDateTime": "", "effectivePeriod": "Period",
      "effectiveInstant": "", "issued": "", "performer": "Reference", "note": "Note", "component": "Component",
    ]) { $1 },
    "Encounter": [
      "resourceType": "", "id": "", "identifier": "Identifier", "status": "", "statusHistory": "StatusHistory",
      "class": "Coding", "type": "Concept", "subject": "Reference", "participant": "EncounterParticipant",
      "appointment": "Reference", "period": "Period", "reasonCode": "Concept", "location": "Place",
    ],
    "StatusHistory": ["status": "", "period": "Period"],
    "EncounterParticipant": ["type": "Concept", "period": "Period", "individual": "Reference"],
    "Place": ["location": "Reference", "period": "Period"],
    "Condition": onset.merging([
      "resourceType": "", "id": "", "identifier": "Identifier", "clinicalStatus": "Concept",
      "verificationStatus": "Concept", "category": "Concept", "severity": "Concept", "code": "Concept",
      "subject": "Reference", "encounter": "Reference", "abatementDateTime": "", "abatementAge": "Quantity",
      "abatementPeriod": "Period", "abatementString": "", "recordedDate": "", "recorder": "Reference",
      "asserter": "Reference", "note": "Note",
    ]) { $1 },
    "AllergyIntolerance": onset.merging([
      "resourceType": "", "id": "", "identifier": "Identifier", "clinicalStatus": "Concept",
      "verificationStatus": "Concept", "type": "", "category": "", "criticality": "", "code": "Concept",
      "patient": "Reference", "encounter": "Reference", "recordedDate": "", "recorder": "Reference",
      "asserter": "Reference", "lastOccurrence": "", "note": "Note", "reaction": "Reaction",
    ]) { $1 },
    "Reaction": [
      "substance": "Concept", "manifestation": "Concept", "description": "", "onset": "", "severity": "",
    ],
    "MedicationRequest": [
      "resourceType": "", "id": "", "identifier": "Identifier", "status": "", "statusReason": "Concept", "intent": "",
      "medicationCodeableConcept": "Concept", "medicationReference": "Reference", "subject": "Reference",
      "encounter": "Reference", "authoredOn": "", "requester": "Reference", "recorder": "Reference",
      "reasonCode": "Concept", "note": "Note", "dosageInstruction": "Dosage",
    ],
    "Dosage": ["text": "", "patientInstruction": ""],
    "Immunization": [
      "resourceType": "", "id": "", "identifier": "Identifier", "status": "", "statusReason": "Concept",
      "vaccineCode": "Concept", "patient": "Reference", "encounter": "Reference", "occurrenceDateTime": "",
      "occurrenceString": "", "recorded": "", "primarySource": "", "lotNumber": "", "performer": "Performer",
      "note": "Note",
    ],
    "Performer": ["function": "Concept", "actor": "Reference"],
    "DocumentReference": [
      "resourceType": "", "id": "", "identifier": "Identifier", "status": "", "docStatus": "", "type": "Concept",
      "category": "Concept", "subject": "Reference", "date": "", "author": "Reference", "authenticator": "Reference",
      "relatesTo": "Relation", "description": "", "content": "Content", "context": "DocumentContext",
    ],
    "Relation": ["code": "", "target": "Reference"],
    "Content": ["attachment": "Attachment"],
    "Attachment": ["contentType": "", "language": "", "data": "", "url": "", "title": "", "creation": ""],
    "DocumentContext": ["encounter": "Reference"],
  ]
  private static let onset = ["onsetDateTime": "", "onsetAge": "Quantity", "onsetPeriod": "Period", "onsetString": ""]
  private static let person = [
    "resourceType": "", "id": "", "identifier": "Identifier", "active": "", "name": "Name", "telecom": "Contact",
    "gender": "", "birthDate": "", "address": "Address",
  ]
  private static let result = [
    "valueQuantity": "Quantity", "valueCodeableConcept": "Concept", "valueString": "", "valueBoolean": "",
    "valueInteger": "", "valueTime": "", "valueDateTime": "", "valuePeriod": "Period", "dataAbsentReason": "Concept",
    "interpretation": "Concept", "referenceRange": "Range",
  ]

  /// A document with its known elements only, without the `null` that pads lists.
  static func restrict(_ value: JSONValue, to type: String) -> JSONValue? {
    if let items = value.array {
      let kept = items.filter { !$0.isNull }.compactMap { restrict($0, to: type) }
      return kept.isEmpty ? nil : .array(kept)
    }
    guard let object = value.object, let elements = types[type] else { return value }
    let members = object.compactMap { member in
      elements[member.key].flatMap { restrict(member.value, to: $0) }
        .map { JSONObject.Member(key: member.key, value: $0) }
    }
    return members.isEmpty ? nil : .object(JSONObject(members))
  }
}
