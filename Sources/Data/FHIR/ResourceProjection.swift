package import Domain
package import JSON

/// Writes models as documents with exactly the elements that the models know, in R4's order.
///
/// It makes the documents of new resources; and since reading a document and writing its model gives the known elements
/// exactly as they stand, the projections of a model before and after an edit differ just in what was edited.
package enum ResourceProjection {
  package static func encode(_ patient: Patient) -> JSONValue {
    resource(patient) {
      $0.set("identifier", patient.identifier, ElementWriter.identifier)
      $0.set("active", patient.active)
      $0.set("name", patient.name, ElementWriter.name)
      $0.set("telecom", patient.telecom, ElementWriter.contactPoint)
      $0.set("gender", patient.gender)
      $0.set("birthDate", patient.birthDate)
      switch patient.deceased {
      case .boolean(let flag): $0.set("deceasedBoolean", flag)
      case .dateTime(let time): $0.set("deceasedDateTime", time.description)
      case nil: break
      }
      $0.set("address", patient.address, ElementWriter.address)
      $0.set("link", patient.link) { link in
        ElementWriter.object {
          $0.set("other", ElementWriter.reference(link.other))
          $0.set("type", link.type)
        }
      }
    }
  }

  package static func encode(_ practitioner: Practitioner) -> JSONValue {
    resource(practitioner) {
      $0.set("identifier", practitioner.identifier, ElementWriter.identifier)
      $0.set("active", practitioner.active)
      $0.set("name", practitioner.name, ElementWriter.name)
      $0.set("telecom", practitioner.telecom, ElementWriter.contactPoint)
      $0.set("address", practitioner.address, ElementWriter.address)
      $0.set("gender", practitioner.gender)
      $0.set("birthDate", practitioner.birthDate)
    }
  }

  package static func encode(_ location: Location) -> JSONValue {
    resource(location) {
      $0.set("identifier", location.identifier, ElementWriter.identifier)
      $0.set("status", location.status)
      $0.set("name", location.name)
      $0.set("alias", location.alias)
      $0.set("description", location.description)
      $0.set("type", location.type, ElementWriter.concept)
      $0.set("telecom", location.telecom, ElementWriter.contactPoint)
      $0.set("address", location.address.flatMap(ElementWriter.address))
      $0.set("partOf", location.partOf.flatMap(ElementWriter.reference))
    }
  }

  package static func encode(_ appointment: Appointment) -> JSONValue {
    resource(appointment) {
      $0.set("identifier", appointment.identifier, ElementWriter.identifier)
      $0.set("status", appointment.status)
      $0.set("cancelationReason", appointment.cancelationReason.flatMap(ElementWriter.concept))
      $0.set("serviceType", appointment.serviceType, ElementWriter.concept)
      $0.set("reasonCode", appointment.reasonCode, ElementWriter.concept)
      $0.set("description", appointment.description)
      $0.set("start", appointment.start?.text)
      $0.set("end", appointment.end?.text)
      $0.set("minutesDuration", appointment.minutesDuration)
      $0.set("slot", appointment.slot, ElementWriter.reference)
      $0.set("comment", appointment.comment)
      $0.set("participant", appointment.participant) { participant in
        ElementWriter.object {
          $0.set("type", participant.type, ElementWriter.concept)
          $0.set("actor", participant.actor.flatMap(ElementWriter.reference))
          $0.set("status", participant.status)
        }
      }
    }
  }

  package static func encode(_ observation: ClinicalObservation) -> JSONValue {
    resource(observation) {
      $0.set("identifier", observation.identifier, ElementWriter.identifier)
      $0.set("status", observation.status)
      $0.set("category", observation.category, ElementWriter.concept)
      $0.set("code", ElementWriter.concept(observation.code))
      $0.set("subject", observation.subject.flatMap(ElementWriter.reference))
      $0.set("encounter", observation.encounter.flatMap(ElementWriter.reference))
      switch observation.effective {
      case .dateTime(let time): $0.set("effectiveDateTime", time.description)
      case .period(let period): $0.set("effectivePeriod", ElementWriter.period(period))
      case .instant(let instant): $0.set("effectiveInstant", instant.text)
      case .other, nil: break
      }
      $0.set("issued", observation.issued?.text)
      $0.set("performer", observation.performer, ElementWriter.reference)
      setValue(observation.value, &$0)
      $0.set("dataAbsentReason", observation.dataAbsentReason.flatMap(ElementWriter.concept))
      $0.set("interpretation", observation.interpretation, ElementWriter.concept)
      $0.set("note", observation.note, ElementWriter.annotation)
      $0.set("referenceRange", observation.referenceRange, range)
      $0.set("component", observation.component) { component in
        ElementWriter.object {
          $0.set("code", ElementWriter.concept(component.code))
          setValue(component.value, &$0)
          $0.set("dataAbsentReason", component.dataAbsentReason.flatMap(ElementWriter.concept))
          $0.set("interpretation", component.interpretation, ElementWriter.concept)
          $0.set("referenceRange", component.referenceRange, range)
        }
      }
    }
  }

  static func resource<Model: ResourceModel>(
    _ model: Model, _ write: (inout ElementWriter) -> Void
  ) -> JSONValue {
    var writer = ElementWriter()
    writer.set("resourceType", Model.resourceType)
    writer.set("id", model.id.rawValue)
    write(&writer)
    return writer.value ?? .object(JSONObject())
  }

  private static func setValue(_ value: ClinicalObservation.Value?, _ writer: inout ElementWriter) {
    switch value {
    case .quantity(let quantity): writer.set("valueQuantity", ElementWriter.quantity(quantity))
    case .codeableConcept(let concept): writer.set("valueCodeableConcept", ElementWriter.concept(concept))
    case .string(let text): writer.set("valueString", text)
    case .boolean(let flag): writer.set("valueBoolean", flag)
    case .integer(let number): writer.set("valueInteger", number)
    case .time(let text): writer.set("valueTime", text)
    case .dateTime(let time): writer.set("valueDateTime", time.description)
    case .period(let period): writer.set("valuePeriod", ElementWriter.period(period))
    case .other, nil: break
    }
  }

  private static func range(_ range: ClinicalObservation.ReferenceRange) -> JSONValue? {
    ElementWriter.object {
      $0.set("low", range.low.flatMap(ElementWriter.quantity))
      $0.set("high", range.high.flatMap(ElementWriter.quantity))
      $0.set("type", range.type.flatMap(ElementWriter.concept))
      $0.set("text", range.text)
    }
  }
}
