package import Domain
package import JSON

/// Reads documents into models. It is tolerant: an element of the wrong form becomes a warning and counts as missing.
///
/// The document stays the truth: a model holds only what the core works with, and is never written back in its place.
/// Each function gives `nil` when the document is of another type or has no id. Warnings name places, never values.
package enum ResourceDecoder {
  package static func patient(_ document: JSONValue, warnings: inout [String]) -> Patient? {
    read(document, ResourceElements.patient, &warnings) { id, reader in
      Patient(
        id: id, identifier: reader.identifiers(), active: reader.bool("active"), name: reader.names(),
        telecom: reader.contactPoints(), gender: reader.code("gender"),
        genderAbsentReason: reader.dataAbsentReason(of: "gender"), birthDate: reader.recordedDate("birthDate"),
        deceased: deceased(reader), address: reader.elements("address").map { $0.address() }, link: links(reader))
    }
  }

  package static func practitioner(_ document: JSONValue, warnings: inout [String]) -> Practitioner? {
    read(document, ResourceElements.practitioner, &warnings) { id, reader in
      Practitioner(
        id: id, identifier: reader.identifiers(), active: reader.bool("active"), name: reader.names(),
        telecom: reader.contactPoints(), address: reader.elements("address").map { $0.address() },
        gender: reader.code("gender"), birthDate: reader.recordedDate("birthDate"))
    }
  }

  package static func location(_ document: JSONValue, warnings: inout [String]) -> Location? {
    read(document, ResourceElements.location, &warnings) { id, reader in
      Location(
        id: id, identifier: reader.identifiers(), status: reader.code("status"), name: reader.string("name"),
        alias: reader.strings("alias"), description: reader.string("description"), type: reader.concepts("type"),
        telecom: reader.contactPoints(), address: reader.element("address")?.address(),
        partOf: reader.reference("partOf"))
    }
  }

  package static func appointment(_ document: JSONValue, warnings: inout [String]) -> Appointment? {
    read(document, ResourceElements.appointment, &warnings) { id, reader in
      Appointment(
        id: id, identifier: reader.identifiers(), status: reader.code("status"),
        cancelationReason: reader.concept("cancelationReason"), serviceType: reader.concepts("serviceType"),
        reasonCode: reader.concepts("reasonCode"), description: reader.string("description"),
        start: reader.instant("start"), end: reader.instant("end"), minutesDuration: reader.integer("minutesDuration"),
        slot: reader.references("slot"), comment: reader.string("comment"),
        participant: reader.elements("participant").map {
          Appointment.Participant(
            actor: $0.reference("actor"), status: $0.code("status"), type: $0.concepts("type"))
        })
    }
  }

  package static func observation(_ document: JSONValue, warnings: inout [String]) -> ClinicalObservation? {
    read(document, ResourceElements.observation, &warnings) { id, reader in
      ClinicalObservation(
        id: id, identifier: reader.identifiers(), status: reader.code("status"), category: reader.concepts("category"),
        code: reader.concept("code") ?? CodeableConcept(), subject: reader.reference("subject"),
        encounter: reader.reference("encounter"), effective: effective(reader), issued: reader.instant("issued"),
        performer: reader.references("performer"), value: value(reader),
        dataAbsentReason: reader.concept("dataAbsentReason"), interpretation: reader.concepts("interpretation"),
        note: reader.annotations("note"), referenceRange: ranges(reader),
        component: reader.elements("component").map {
          ClinicalObservation.Component(
            code: $0.concept("code") ?? CodeableConcept(), value: value($0),
            dataAbsentReason: $0.concept("dataAbsentReason"), interpretation: $0.concepts("interpretation"),
            referenceRange: ranges($0))
        })
    }
  }

  static func read<Model: ResourceModel>(
    _ document: JSONValue, _ elements: Set<String>, _ warnings: inout [String],
    _ make: (Model.ID, ElementReader) -> Model
  ) -> Model? {
    guard let object = document.object, document["resourceType"]?.string == Model.resourceType else {
      warnings.append("expected a resource of type \(Model.resourceType)")
      return nil
    }
    guard let id = object["id"]?.string, !id.isEmpty else {
      warnings.append("\(Model.resourceType): has no id")
      return nil
    }
    let log = DecodingWarnings()
    let reader = ElementReader(object: object, path: Model.resourceType, warnings: log)
    for member in object {
      let name = member.key.hasPrefix("_") ? String(member.key.dropFirst()) : member.key
      if !elements.contains(name), !ResourceElements.common.contains(name) {
        log.add(Model.resourceType, "has an element that R4 does not define")
      }
    }
    if object["modifierExtension"] != nil {
      reader.warn("modifierExtension", "changes the meaning in a way that is not understood here")
    }
    let model = make(Model.ID(id), reader)
    warnings += log.texts
    return model
  }
}
