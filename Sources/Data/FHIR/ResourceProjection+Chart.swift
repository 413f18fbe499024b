package import Domain
package import JSON

extension ResourceProjection {
  package static func encode(_ encounter: Encounter) -> JSONValue {
    resource(encounter) {
      $0.set("identifier", encounter.identifier, ElementWriter.identifier)
      $0.set("status", encounter.status)
      $0.set("statusHistory", encounter.statusHistory) { entry in
        ElementWriter.object {
          $0.set("status", entry.status)
          $0.set("period", ElementWriter.period(entry.period))
        }
      }
      $0.set("class", encounter.encounterClass.flatMap(ElementWriter.coding))
      $0.set("type", encounter.type, ElementWriter.concept)
      $0.set("subject", encounter.subject.flatMap(ElementWriter.reference))
      $0.set("participant", encounter.participant) { participant in
        ElementWriter.object {
          $0.set("type", participant.type, ElementWriter.concept)
          $0.set("period", participant.period.flatMap(ElementWriter.period))
          $0.set("individual", participant.individual.flatMap(ElementWriter.reference))
        }
      }
      $0.set("appointment", encounter.appointment, ElementWriter.reference)
      $0.set("period", encounter.period.flatMap(ElementWriter.period))
      $0.set("reasonCode", encounter.reasonCode, ElementWriter.concept)
      $0.set("location", encounter.location) { place in
        ElementWriter.object {
          $0.set("location", ElementWriter.reference(place.location))
          $0.set("period", place.period.flatMap(ElementWriter.period))
        }
      }
    }
  }

  package static func encode(_ condition: Condition) -> JSONValue {
    resource(condition) {
      $0.set("identifier", condition.identifier, ElementWriter.identifier)
      $0.set("clinicalStatus", condition.clinicalStatus.flatMap(ElementWriter.concept))
      $0.set("verificationStatus", condition.verificationStatus.flatMap(ElementWriter.concept))
      $0.set("category", condition.category, ElementWriter.concept)
      $0.set("severity", condition.severity.flatMap(ElementWriter.concept))
      $0.set("code", condition.code.flatMap(ElementWriter.concept))
      $0.set("subject", condition.subject.flatMap(ElementWriter.reference))
      $0.set("encounter", condition.encounter.flatMap(ElementWriter.reference))
      setOnset("onset", condition.onset, &$0)
      setOnset("abatement", condition.abatement, &$0)
      $0.set("recordedDate", condition.recordedDate?.description)
      $0.set("recorder", condition.recorder.flatMap(ElementWriter.reference))
      $0.set("asserter", condition.asserter.flatMap(ElementWriter.reference))
      $0.set("note", condition.note, ElementWriter.annotation)
    }
  }

  package static func encode(_ allergy: AllergyIntolerance) -> JSONValue {
    resource(allergy) {
      $0.set("identifier", allergy.identifier, ElementWriter.identifier)
      $0.set("clinicalStatus", allergy.clinicalStatus.flatMap(ElementWriter.concept))
      $0.set("verificationStatus", allergy.verificationStatus.flatMap(ElementWriter.concept))
      $0.set("type", allergy.type)
      $0.set("category", allergy.category.map(\.rawValue))
      $0.set("criticality", allergy.criticality)
      $0.set("code", allergy.code.flatMap(ElementWriter.concept))
      $0.set("patient", allergy.patient.flatMap(ElementWriter.reference))
      $0.set("encounter", allergy.encounter.flatMap(ElementWriter.reference))
      setOnset("onset", allergy.onset, &$0)
      $0.set("recordedDate", allergy.recordedDate?.description)
      $0.set("recorder", allergy.recorder.flatMap(ElementWriter.reference))
      $0.set("asserter", allergy.asserter.flatMap(ElementWriter.reference))
      $0.set("lastOccurrence", allergy.lastOccurrence?.description)
      $0.set("note", allergy.note, ElementWriter.annotation)
      $0.set("reaction", allergy.reaction) { reaction in
        ElementWriter.object {
          $0.set("substance", reaction.substance.flatMap(ElementWriter.concept))
          $0.set("manifestation", reaction.manifestation, ElementWriter.concept)
          $0.set("description", reaction.description)
          $0.set("onset", reaction.onset?.description)
          $0.set("severity", reaction.severity)
        }
      }
    }
  }

  package static func encode(_ request: MedicationRequest) -> JSONValue {
    resource(request) {
      $0.set("identifier", request.identifier, ElementWriter.identifier)
      $0.set("status", request.status)
      $0.set("statusReason", request.statusReason.flatMap(ElementWriter.concept))
      $0.set("intent", request.intent)
      switch request.medication {
      case .codeableConcept(let concept): $0.set("medicationCodeableConcept", ElementWriter.concept(concept))
      case .reference(let reference): $0.set("medicationReference", ElementWriter.reference(reference))
      case nil: break
      }
      $0.set("subject", request.subject.flatMap(ElementWriter.reference))
      $0.set("encounter", request.encounter.flatMap(ElementWriter.reference))
      $0.set("authoredOn", request.authoredOn?.description)
      $0.set("requester", request.requester.flatMap(ElementWriter.reference))
      $0.set("recorder", request.recorder.flatMap(ElementWriter.reference))
      $0.set("reasonCode", request.reasonCode, ElementWriter.concept)
      $0.set("note", request.note, ElementWriter.annotation)
      $0.set("dosageInstruction", request.dosageInstruction) { dosage in
        ElementWriter.object {
          $0.set("text", dosage.text)
          $0.set("patientInstruction", dosage.patientInstruction)
        }
      }
    }
  }

  package static func encode(_ immunization: Immunization) -> JSONValue {
    resource(immunization) {
      $0.set("identifier", immunization.identifier, ElementWriter.identifier)
      $0.set("status", immunization.status)
      $0.set("statusReason", immunization.statusReason.flatMap(ElementWriter.concept))
      $0.set("vaccineCode", immunization.vaccineCode.flatMap(ElementWriter.concept))
      $0.set("patient", immunization.patient.flatMap(ElementWriter.reference))
      $0.set("encounter", immunization.encounter.flatMap(ElementWriter.reference))
      switch immunization.occurrence {
      case .dateTime(let time): $0.set("occurrenceDateTime", time.description)
      case .string(let text): $0.set("occurrenceString", text)
      case nil: break
      }
      $0.set("recorded", immunization.recorded?.description)
      $0.set("primarySource", immunization.primarySource)
      $0.set("lotNumber", immunization.lotNumber)
      $0.set("performer", immunization.performer) { performer in
        ElementWriter.object {
          $0.set("function", performer.function.flatMap(ElementWriter.concept))
          $0.set("actor", ElementWriter.reference(performer.actor))
        }
      }
      $0.set("note", immunization.note, ElementWriter.annotation)
    }
  }

  package static func encode(_ document: DocumentReference) -> JSONValue {
    resource(document) {
      $0.set("identifier", document.identifier, ElementWriter.identifier)
      $0.set("status", document.status)
      $0.set("docStatus", document.docStatus)
      $0.set("type", document.type.flatMap(ElementWriter.concept))
      $0.set("category", document.category, ElementWriter.concept)
      $0.set("subject", document.subject.flatMap(ElementWriter.reference))
      $0.set("date", document.date?.text)
      $0.set("author", document.author, ElementWriter.reference)
      $0.set("authenticator", document.authenticator.flatMap(ElementWriter.reference))
      $0.set("relatesTo", document.relatesTo) { relation in
        ElementWriter.object {
          $0.set("code", relation.code)
          $0.set("target", ElementWriter.reference(relation.target))
        }
      }
      $0.set("description", document.description)
      $0.set("content", document.content) { attachment in
        ElementWriter.object { $0.set("attachment", ElementWriter.attachment(attachment)) }
      }
      $0.set("context", ElementWriter.object { $0.set("encounter", document.encounter, ElementWriter.reference) })
    }
  }

  private static func setOnset(_ name: String, _ onset: Onset?, _ writer: inout ElementWriter) {
    switch onset {
    case .dateTime(let time): writer.set("\(name)DateTime", time.description)
    case .age(let age): writer.set("\(name)Age", ElementWriter.quantity(age))
    case .period(let period): writer.set("\(name)Period", ElementWriter.period(period))
    case .string(let text): writer.set("\(name)String", text)
    case .other, nil: break
    }
  }
}

extension ElementWriter {
  fileprivate static func attachment(_ attachment: DocumentReference.Attachment) -> JSONValue? {
    object {
      $0.set("contentType", attachment.contentType)
      $0.set("language", attachment.language)
      $0.set("data", attachment.data)
      $0.set("url", attachment.url)
      $0.set("title", attachment.title)
      $0.set("creation", attachment.creation?.description)
    }
  }
}
