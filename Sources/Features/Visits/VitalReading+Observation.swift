import Domain

extension VitalReading {
  /// The observation to record (hl7.org/fhir/R4/observation-vitalsigns.html).
  nonisolated func observation(
    of patient: Patient, at time: Instant, performer: Reference<AnyResource>, visit: Encounter?
  ) -> ClinicalObservation {
    var observation = ClinicalObservation(
      id: ClinicalObservation.ID(""), status: .known(.final), category: [Self.category], code: concept,
      subject: Reference(patient.key, display: patient.nameText), encounter: visit.map { Reference($0.key) },
      effective: .dateTime(.instant(time)), performer: [performer])
    switch self {
    case .single(let one):
      observation.value = .quantity(one.quantity)
      if let original = one.original { observation.note = [Annotation(text: "written as \(original)")] }
    case .bloodPressure(let systolic, let diastolic):
      observation.component = [systolic, diastolic].map {
        ClinicalObservation.Component(code: $0.sign.concept, value: .quantity($0.quantity))
      }
    }
    return observation
  }

  private nonisolated var concept: CodeableConcept {
    switch self {
    case .single(let one): one.sign.concept
    case .bloodPressure:
      CodeableConcept(
        coding: [
          Coding(
            system: CodeSystem.loinc, code: "85354-9",
            display: "Blood pressure panel with all children optional")
        ], text: title)
    }
  }

  private nonisolated static let category = CodeableConcept(
    coding: [Coding(system: CodeSystem.observationCategory, code: "vital-signs", display: "Vital Signs")])
}
