import Domain
import JSON

extension StoreTransaction {
  /// Replaces everything that is derived from a view; `nil` when readers see nothing.
  func deriveIndexes(of key: ResourceKey, rowID: Int64, view: JSONValue?) throws(AppError) {
    try clearIndexes(of: key, rowID: rowID)
    guard let view else { return }
    for target in FHIRReference.keys(in: view, ownBase: ownBase) {
      try run(
        "INSERT OR IGNORE INTO reference (resource, type, id) VALUES (?, ?, ?)",
        [.integer(rowID), .text(target.type), .text(target.id)])
    }
    try deriveIdentifiers(of: key, rowID: rowID, view: view)
    var warnings: [String] = []
    switch key.type {
    case Patient.resourceType:
      if let patient = ResourceDecoder.patient(view, warnings: &warnings) { try derive(patient, rowID: rowID) }
    case Practitioner.resourceType:
      if let practitioner = ResourceDecoder.practitioner(view, warnings: &warnings) {
        try derive(directoryName: practitioner.displayName, type: key.type, rowID: rowID)
      }
    case Location.resourceType:
      if let location = ResourceDecoder.location(view, warnings: &warnings) {
        try derive(directoryName: location.displayName, type: key.type, rowID: rowID)
      }
    case Appointment.resourceType:
      if let appointment = ResourceDecoder.appointment(view, warnings: &warnings) {
        try derive(appointment, rowID: rowID)
      }
    case Schedule.resourceType:
      if ResourceDecoder.schedule(view, warnings: &warnings)?.active != false {
        try derive(directoryName: "", type: key.type, rowID: rowID)
      }
    case Slot.resourceType:
      if let slot = ResourceDecoder.slot(view, warnings: &warnings) { try derive(slot, rowID: rowID) }
    case ClinicalObservation.resourceType:
      if let observation = ResourceDecoder.observation(view, warnings: &warnings) {
        try derive(observation, rowID: rowID)
      }
    default: try deriveChart(of: key, rowID: rowID, view: view)
    }
  }

  private func clearIndexes(of key: ResourceKey, rowID: Int64) throws(AppError) {
    try run("DELETE FROM reference WHERE resource = ?", [.integer(rowID)])
    try run("DELETE FROM identifier WHERE resource = ?", [.integer(rowID)])
    switch key.type {
    case Patient.resourceType:
      try run("DELETE FROM patient WHERE resource = ?", [.integer(rowID)])
      try run("DELETE FROM patient_text WHERE rowid = ?", [.integer(rowID)])
    case Slot.resourceType: try run("DELETE FROM slot WHERE resource = ?", [.integer(rowID)])
    case Practitioner.resourceType, Location.resourceType, Schedule.resourceType:
      try run("DELETE FROM directory WHERE resource = ?", [.integer(rowID)])
    case Appointment.resourceType: try run("DELETE FROM appointment WHERE resource = ?", [.integer(rowID)])
    case ClinicalObservation.resourceType: try run("DELETE FROM observation WHERE resource = ?", [.integer(rowID)])
    default: try run("DELETE FROM chart WHERE resource = ?", [.integer(rowID)])
    }
  }

  private func deriveIdentifiers(of key: ResourceKey, rowID: Int64, view: JSONValue) throws(AppError) {
    for identifier in view["identifier"]?.array ?? view["identifier"].map({ [$0] }) ?? [] {
      guard let value = identifier["value"]?.string else { continue }
      try run(
        "INSERT OR IGNORE INTO identifier (resource, type, value, system) VALUES (?, ?, ?, ?)",
        [
          .integer(rowID), .text(key.type), .text(TextFolding.tokens(value).joined()),
          .text(identifier["system"]?.string ?? ""),
        ])
    }
  }

  private func derive(_ patient: Patient, rowID: Int64) throws(AppError) {
    try run(
      "INSERT INTO patient (resource, sort_name, replaced_by) VALUES (?, ?, ?)",
      [
        .integer(rowID), .text(TextFolding.sortKey(patient.displayName)), SQLValue(patient.replacedBy?.rawValue),
      ])
    try run(
      "INSERT INTO patient_text (rowid, terms) VALUES (?, ?)",
      [.integer(rowID), .text(SearchText.terms(for: patient).joined(separator: " "))])
  }

  private func derive(directoryName name: String, type: String, rowID: Int64) throws(AppError) {
    try run(
      "INSERT INTO directory (resource, type, sort_name) VALUES (?, ?, ?)",
      [.integer(rowID), .text(type), .text(TextFolding.sortKey(name))])
  }

  private func derive(_ appointment: Appointment, rowID: Int64) throws(AppError) {
    guard let interval = appointment.interval else { return }
    try run(
      """
      INSERT INTO appointment (resource, start, finish, patient, practitioner, location, blocks)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """,
      [
        .integer(rowID), .integer(interval.lowerBound.milliseconds), .integer(interval.upperBound.milliseconds),
        SQLValue(appointment.patient?.id?.rawValue), SQLValue(appointment.practitioner?.id?.rawValue),
        SQLValue(appointment.location?.id?.rawValue), SQLValue(appointment.occupiesTime),
      ])
  }

  private func derive(_ slot: Slot, rowID: Int64) throws(AppError) {
    guard let interval = slot.interval, !slot.isWithdrawn else { return }
    try run(
      "INSERT INTO slot (resource, start, finish) VALUES (?, ?, ?)",
      [.integer(rowID), .integer(interval.lowerBound.milliseconds), .integer(interval.upperBound.milliseconds)])
  }

  private func derive(_ observation: ClinicalObservation, rowID: Int64) throws(AppError) {
    guard let patient = observation.patientID else { return }
    let effective = observation.sortInstant?.milliseconds ?? 0
    // The empty code stands for "any", so that one patient's observations are one range of the index.
    for code in Set(observation.code.coding.compactMap(\.code)).union([""]) {
      try run(
        "INSERT OR IGNORE INTO observation (resource, patient, code, effective) VALUES (?, ?, ?, ?)",
        [.integer(rowID), .text(patient.rawValue), .text(code), .integer(effective)])
    }
  }
}

extension ClinicalObservation {
  /// When it was made, for ordering; dates without a time count as UTC.
  var sortInstant: Instant? {
    switch effective {
    case .dateTime(let dateTime)?: dateTime.sortBounds(in: .utc).lowerBound
    case .instant(let instant)?: instant
    case .period(let period)?: period.start?.sortBounds(in: .utc).lowerBound
    default: issued
    }
  }
}
