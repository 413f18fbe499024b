import Chart
import DesignSystem
import Domain
import Foundation
import Patients
import Scheduling
import Sync
import Testing
import Visits

@Suite("Routes and links")
struct RouteTests {
  @Test(
    "a patients' route and its link are one",
    arguments: [
      PatientsRoute.recent, .patient(Patient.ID("p-1")), .patient(Patient.ID("a/b ç")), .search("ana & o'brien?"),
      .registration,
    ])
  func patients(route: PatientsRoute) throws {
    #expect(try PatientsRoute(DeepLink(route.link.text)) == route)
  }

  @Test("a schedule's route and its link are one")
  func scheduling() throws {
    let day = try #require(CalendarDay("2026-12-01"))
    for route in [
      SchedulingRoute.today, .day(day), .week(day), .slots(day), .appointment(Appointment.ID("a-1")),
      .booking(Patient.ID("p-1")),
    ] { #expect(try SchedulingRoute(DeepLink(route.link.text)) == route) }
  }

  @Test("a route of visits or sync and its link are one")
  func others() throws {
    for route in [
      VisitsRoute.overview, .vitals("p-1"), .observation("o-1"), .visit("e/1 ç"), .note("d-1"),
    ] { #expect(try VisitsRoute(DeepLink(route.link.text)) == route) }
    for route in [ChartRoute.overview, .chart("p-1"), .trend("p-1", code: "8867-4 & x")] {
      #expect(try ChartRoute(DeepLink(route.link.text)) == route)
    }
    for route in [SyncRoute.status, .outbox, .outboxItem(2), .review, .reviewItem(3)] {
      #expect(try SyncRoute(DeepLink(route.link.text)) == route)
    }
  }

  @Test("every form that a feature names is one of its links, and every link of a feature carries one of its names")
  func forms() throws {
    func check<Route: FeatureRoute>(_ type: Route.Type) throws {
      for form in Route.forms {
        var text = form
        for (word, value) in [
          ("DAY", "2026-12-01"), ("PATIENT", "p-1"), ("CODE", "8867-4"), ("TEXT", "ana"), ("ID", "x-1"),
        ] { text = text.replacingOccurrences(of: word, with: value) }
        if text.hasSuffix("/N") { text = String(text.dropLast()) + "3" }
        let link = try DeepLink(text)
        #expect(Route.features.contains(link.feature))
        #expect(try Route(link).link.text == text)
      }
      #expect(Route.features.contains(Route.root.link.feature))
    }
    try check(PatientsRoute.self)
    try check(SchedulingRoute.self)
    try check(VisitsRoute.self)
    try check(ChartRoute.self)
    try check(SyncRoute.self)
  }

  @Test(
    "what is no link is refused",
    arguments: ["", "patients/1", "http://patients/1", "clinic://", "clinic://u@patients/1", "clinic://patients/1#x"])
  func malformed(text: String) {
    #expect(throws: AppError.self) { try DeepLink(text) }
  }

  @Test(
    "a link that leads nowhere in its feature says so",
    arguments: ["clinic://sync/review/x", "clinic://sync/review/0", "clinic://sync/review/1?x", "clinic://sync/x"])
  func dead(text: String) throws {
    let link = try DeepLink(text)
    #expect(throws: AppError.self) { try SyncRoute(link) }
  }
}
