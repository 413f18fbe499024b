import Domain
import JSON

extension StoreTransaction {
  /// Indexes a record of a chart by its patient and its time. Types that are no such records have nothing to index.
  func deriveChart(of key: ResourceKey, rowID: Int64, view: JSONValue) throws(AppError) {
    var warnings: [String] = []
    switch key.type {
    case Encounter.resourceType:
      let encounter = Encounter.decode(view, warnings: &warnings)
      try derive(encounter, isOpen: encounter?.isOpen ?? false, rowID: rowID)
    case Condition.resourceType: try derive(Condition.decode(view, warnings: &warnings), rowID: rowID)
    case AllergyIntolerance.resourceType: try derive(AllergyIntolerance.decode(view, warnings: &warnings), rowID: rowID)
    case MedicationRequest.resourceType: try derive(MedicationRequest.decode(view, warnings: &warnings), rowID: rowID)
    case Immunization.resourceType: try derive(Immunization.decode(view, warnings: &warnings), rowID: rowID)
    case DocumentReference.resourceType: try derive(DocumentReference.decode(view, warnings: &warnings), rowID: rowID)
    default: break
    }
  }

  private func derive(_ entry: (some ChartEntry)?, isOpen: Bool = false, rowID: Int64) throws(AppError) {
    guard let entry, let patient = entry.patientID else { return }
    // Dates without a time count as UTC: only the order hangs on it.
    let date = entry.sortTime?.sortBounds(in: .utc).lowerBound.milliseconds ?? 0
    try run(
      "INSERT INTO chart (resource, patient, type, date, is_open) VALUES (?, ?, ?, ?, ?)",
      [.integer(rowID), .text(patient.rawValue), .text(entry.key.type), .integer(date), SQLValue(isOpen)])
  }
}
