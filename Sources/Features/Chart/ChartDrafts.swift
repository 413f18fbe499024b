public import Domain

/// What is to be added to a chart.
public nonisolated enum ChartDraft: Hashable, Sendable {
  /// A problem of the list.
  case problem(CodeableConcept, onset: PartialDate?, severity: String?, verification: Condition.VerificationStatus)
  /// An allergy.
  case allergy(
    CodeableConcept, criticality: AllergyIntolerance.Criticality?, category: AllergyIntolerance.Category?,
    reaction: String?, severity: AllergyIntolerance.Severity?, verification: AllergyIntolerance.VerificationStatus)
  /// The coded statement that no allergies are known.
  case noKnownAllergies
  /// A medication, with its dose as written.
  case medication(CodeableConcept, dose: String?, reason: String?)
  /// A vaccination that was given.
  case immunization(CodeableConcept, on: PartialDate?, lot: String?, isReported: Bool)
}

/// What can be done with a record of a chart.
public nonisolated enum ChartAction: Hashable, Sendable {
  /// The problem is over.
  case resolveProblem(Condition.ID)
  /// The problem should never have been recorded.
  case retractProblem(Condition.ID)
  /// The patient does not react any more; or the statement does not hold any more.
  case resolveAllergy(AllergyIntolerance.ID)
  /// It was shown not to be so.
  case refuteAllergy(AllergyIntolerance.ID)
  /// The allergy should never have been recorded.
  case retractAllergy(AllergyIntolerance.ID)
  /// The medication ends.
  case stopMedication(MedicationRequest.ID, reason: String?)
  /// The medication pauses.
  case holdMedication(MedicationRequest.ID, reason: String?)
  /// The medication goes on.
  case resumeMedication(MedicationRequest.ID)
  /// The medication should never have been recorded.
  case retractMedication(MedicationRequest.ID)
  /// The vaccination should never have been recorded.
  case retractImmunization(Immunization.ID)

  /// What was done, as a sentence without a full stop.
  var done: String {
    switch self {
    case .resolveProblem: "Problem resolved"
    case .resolveAllergy: "Allergy resolved"
    case .refuteAllergy: "Allergy refuted"
    case .stopMedication: "Medication stopped"
    case .holdMedication: "Medication on hold"
    case .resumeMedication: "Medication goes on"
    case .retractProblem, .retractAllergy, .retractMedication, .retractImmunization: "Marked as entered in error"
    }
  }

  /// What is asked before it is done; `nil` for what needs no question.
  var question: String? {
    switch self {
    case .retractProblem, .retractAllergy, .retractMedication, .retractImmunization:
      "as entered in error? It cannot be taken back"
    case .refuteAllergy, .resolveAllergy: "as no allergy that the patient has now?"
    default: nil
    }
  }
}
