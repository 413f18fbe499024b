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
      "minutesDuration": "", "comment": "", "participant": "Participant",
    ],
    "Observation": result.merging([
      "resourceType": "", "id": "", "identifier": "Identifier", "status": "", "category": "Concept", "code": "Concept",
      "subject": "Reference", "encounter": "Reference", "effectiveDateTime": "", "effectivePeriod": "Period",
      "effectiveInstant": "", "issued": "", "performer": "Reference", "note": "Note", "component": "Component",
    ]) { $1 },
  ]
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
