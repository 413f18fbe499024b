/// A record of a patient's chart: what a list of the chart needs to know of it.
public protocol ChartEntry: ResourceModel {
  /// Whose it is; `nil` when it is about no patient.
  var patientID: Patient.ID? { get }
  /// The visit during which it was recorded.
  var visitID: Encounter.ID? { get }
  /// The time by which it is ordered; `nil` when none is recorded.
  var sortTime: DateTime? { get }
  /// Whether it should never have been recorded: it is kept apart and never counted.
  var isEnteredInError: Bool { get }
}

extension Reference {
  /// The id of a target of one type; `nil` when the reference names something else.
  public func id<Model: ResourceModel>(of model: Model.Type) -> ResourceID<Model>? {
    guard let key, key.type == Model.resourceType else { return nil }
    return ResourceID(key.id)
  }
}

extension ClinicalObservation: ChartEntry {
  /// The visit during which it was made.
  public var visitID: Encounter.ID? { encounter?.id(of: Encounter.self) }
  /// When it held true, else when it was issued.
  public var sortTime: DateTime? { effective?.time ?? issued.map(DateTime.instant) }
}
