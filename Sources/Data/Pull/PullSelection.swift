public import Domain

/// What of the server's records one clinic works with. Without a selection all of them are pulled.
///
/// Whoever is outside of it is fetched when opened, with the chart.
public struct PullSelection: Hashable, Sendable {
  /// The ids of the places whose appointments and open visits are pulled.
  public var locations: [String]
  /// The ids of the practitioners whose appointments and open visits are pulled. With places too, either is enough; with
  /// neither, all appointments of the days are.
  public var practitioners: [String]
  /// How many days of the schedule before today are pulled.
  public var daysBack: Int
  /// How many days of the schedule after today are pulled.
  public var daysAhead: Int
  /// The ids of the general practitioners whose patients are pulled with their charts.
  public var panelPractitioners: [String]
  /// The ids of further patients who are pulled with their charts.
  public var panelPatients: [String]
  /// The clinic's zone, in which days begin and end.
  public var zone: ClinicZone

  /// Creates a selection.
  public init(
    locations: [String] = [], practitioners: [String] = [], daysBack: Int = 7, daysAhead: Int = 28,
    panelPractitioners: [String] = [], panelPatients: [String] = [], zone: ClinicZone
  ) {
    self.locations = locations
    self.practitioners = practitioners
    self.daysBack = daysBack
    self.daysAhead = daysAhead
    self.panelPractitioners = panelPractitioners
    self.panelPatients = panelPatients
    self.zone = zone
  }
}
