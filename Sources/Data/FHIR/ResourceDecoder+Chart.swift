package import Domain
package import JSON

extension ResourceDecoder {
  /// The types that R4 allows for `onset[x]` and `abatement[x]`.
  static let onsetTypes = ["DateTime", "Age", "Period", "Range", "String"]

  package static func encounter(_ document: JSONValue, warnings: inout [String]) -> Encounter? {
    read(document, ResourceElements.encounter, &warnings) { id, reader in
      Encounter(
        id: id, identifier: reader.identifiers(), status: reader.code("status"),
        statusHistory: reader.elements("statusHistory").map {
          Encounter.StatusHistory(status: $0.code("status"), period: $0.period("period") ?? Period())
        }, encounterClass: reader.element("class")?.coding(), type: reader.concepts("type"),
        subject: reader.reference("subject"),
        participant: reader.elements("participant").map {
          Encounter.Participant(
            type: $0.concepts("type"), period: $0.period("period"), individual: $0.reference("individual"))
        }, appointment: reader.references("appointment"), period: reader.period("period"),
        reasonCode: reader.concepts("reasonCode"),
        location: reader.elements("location").map {
          Encounter.Place(location: $0.reference("location") ?? Reference(), period: $0.period("period"))
        })
    }
  }

  package static func condition(_ document: JSONValue, warnings: inout [String]) -> Condition? {
    read(document, ResourceElements.condition, &warnings) { id, reader in
      Condition(
        id: id, identifier: reader.identifiers(), clinicalStatus: reader.concept("clinicalStatus"),
        verificationStatus: reader.concept("verificationStatus"), category: reader.concepts("category"),
        severity: reader.concept("severity"), code: reader.concept("code"), subject: reader.reference("subject"),
        encounter: reader.reference("encounter"), onset: onset("onset", reader),
        abatement: onset("abatement", reader), recordedDate: reader.dateTime("recordedDate"),
        recorder: reader.reference("recorder"), asserter: reader.reference("asserter"),
        note: reader.annotations("note"))
    }
  }

  package static func allergyIntolerance(_ document: JSONValue, warnings: inout [String]) -> AllergyIntolerance? {
    read(document, ResourceElements.allergyIntolerance, &warnings) { id, reader in
      AllergyIntolerance(
        id: id, identifier: reader.identifiers(), clinicalStatus: reader.concept("clinicalStatus"),
        verificationStatus: reader.concept("verificationStatus"), type: reader.code("type"),
        category: reader.strings("category").map(OpenCode.init(rawValue:)), criticality: reader.code("criticality"),
        code: reader.concept("code"), patient: reader.reference("patient"), encounter: reader.reference("encounter"),
        onset: onset("onset", reader), recordedDate: reader.dateTime("recordedDate"),
        recorder: reader.reference("recorder"), asserter: reader.reference("asserter"),
        lastOccurrence: reader.dateTime("lastOccurrence"), note: reader.annotations("note"),
        reaction: reader.elements("reaction").map {
          AllergyIntolerance.Reaction(
            substance: $0.concept("substance"), manifestation: $0.concepts("manifestation"),
            description: $0.string("description"), onset: $0.dateTime("onset"), severity: $0.code("severity"))
        })
    }
  }

  package static func medicationRequest(_ document: JSONValue, warnings: inout [String]) -> MedicationRequest? {
    read(document, ResourceElements.medicationRequest, &warnings) { id, reader in
      MedicationRequest(
        id: id, identifier: reader.identifiers(), status: reader.code("status"),
        statusReason: reader.concept("statusReason"), intent: reader.code("intent"), medication: medication(reader),
        subject: reader.reference("subject"), encounter: reader.reference("encounter"),
        authoredOn: reader.dateTime("authoredOn"), requester: reader.reference("requester"),
        recorder: reader.reference("recorder"), reasonCode: reader.concepts("reasonCode"),
        note: reader.annotations("note"),
        dosageInstruction: reader.elements("dosageInstruction").map {
          MedicationRequest.Dosage(
            text: $0.string("text"), patientInstruction: $0.string("patientInstruction"),
            structured: StructuredDosage.text(of: $0.object))
        })
    }
  }

  package static func immunization(_ document: JSONValue, warnings: inout [String]) -> Immunization? {
    read(document, ResourceElements.immunization, &warnings) { id, reader in
      Immunization(
        id: id, identifier: reader.identifiers(), status: reader.code("status"),
        statusReason: reader.concept("statusReason"), vaccineCode: reader.concept("vaccineCode"),
        patient: reader.reference("patient"), encounter: reader.reference("encounter"),
        occurrence: occurrence(reader), recorded: reader.dateTime("recorded"),
        primarySource: reader.bool("primarySource"), lotNumber: reader.string("lotNumber"),
        performer: reader.elements("performer").map {
          Immunization.Performer(function: $0.concept("function"), actor: $0.reference("actor") ?? Reference())
        }, note: reader.annotations("note"))
    }
  }

  package static func documentReference(_ document: JSONValue, warnings: inout [String]) -> DocumentReference? {
    read(document, ResourceElements.documentReference, &warnings) { id, reader in
      DocumentReference(
        id: id, identifier: reader.identifiers(), status: reader.code("status"), docStatus: reader.code("docStatus"),
        type: reader.concept("type"), category: reader.concepts("category"), subject: reader.reference("subject"),
        date: reader.instant("date"), author: reader.references("author"),
        authenticator: reader.reference("authenticator"),
        relatesTo: reader.elements("relatesTo").map {
          DocumentReference.Relation(code: $0.code("code"), target: $0.reference("target") ?? Reference())
        }, description: reader.string("description"),
        content: reader.elements("content").map { attachment($0.element("attachment")) },
        encounter: reader.element("context")?.references("encounter") ?? [])
    }
  }

  private static func onset(_ name: String, _ reader: ElementReader) -> Onset? {
    switch reader.choice(name, of: onsetTypes) {
    case "\(name)DateTime": reader.dateTime("\(name)DateTime").map(Onset.dateTime)
    case "\(name)Age": reader.quantity("\(name)Age").map(Onset.age)
    case "\(name)Period": reader.period("\(name)Period").map(Onset.period)
    case "\(name)String": reader.string("\(name)String").map(Onset.string)
    case let element?: .other(element)
    case nil: nil
    }
  }

  private static func medication(_ reader: ElementReader) -> MedicationRequest.Medication? {
    switch reader.choice("medication", of: ["CodeableConcept", "Reference"]) {
    case "medicationCodeableConcept":
      reader.concept("medicationCodeableConcept").map(MedicationRequest.Medication.codeableConcept)
    case "medicationReference":
      reader.reference("medicationReference").map(MedicationRequest.Medication.reference)
    default: nil
    }
  }

  private static func occurrence(_ reader: ElementReader) -> Immunization.Occurrence? {
    switch reader.choice("occurrence", of: ["DateTime", "String"]) {
    case "occurrenceDateTime": reader.dateTime("occurrenceDateTime").map(Immunization.Occurrence.dateTime)
    case "occurrenceString": reader.string("occurrenceString").map(Immunization.Occurrence.string)
    default: nil
    }
  }

  private static func attachment(_ reader: ElementReader?) -> DocumentReference.Attachment {
    guard let reader else { return DocumentReference.Attachment() }
    return DocumentReference.Attachment(
      contentType: reader.string("contentType"), language: reader.string("language"), data: reader.string("data"),
      url: reader.string("url"), title: reader.string("title"), creation: reader.dateTime("creation"))
  }
}
