import Chart
import Domain

/// Navigation in the chart feature.
final class ChartCoordinator: TabCoordinator<ChartRoute>, ChartCoordinating {
  func showChart(of patient: Patient.ID) { open(.chart(patient)) }
  func showTrend(of patient: Patient.ID, code: String) { open(.trend(patient, code: code)) }
}
