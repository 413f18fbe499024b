import Chart
import DesignSystem
import Domain
import Patients
import Scheduling
import Sync
import Testing
import Visits

@testable import App

@Suite("The shell and its coordinators")
struct ShellTests {
  let p1 = Patient.ID("p-1")

  @Test("links and navigation lead to the same routes")
  func links() throws {
    let day = try #require(CalendarDay("2026-12-01"))
    let cases: [(String, (RouteShell) -> Void)] = [
      ("clinic://patients", { $0.home() }),
      ("clinic://patients/p-1", { $0.patients.showPatient(Patient.ID("p-1")) }),
      ("clinic://patients?search=ana", { $0.patients.showPatientSearch("ana") }),
      ("clinic://patients?register", { $0.patients.presentRegistration() }),
      ("clinic://schedule/2026-12-01", { $0.scheduling.showSchedule(of: day) }),
      ("clinic://appointments/a-1", { $0.scheduling.showAppointment(Appointment.ID("a-1")) }),
      ("clinic://appointments?book=p-1", { $0.scheduling.presentBooking(for: Patient.ID("p-1")) }),
      ("clinic://vitals?patient=p-1", { $0.visits.showVitals(of: Patient.ID("p-1")) }),
      ("clinic://vitals/o-1", { $0.visits.showObservation(ClinicalObservation.ID("o-1")) }),
      ("clinic://visits/e-1", { $0.visits.showVisit("e-1") }), ("clinic://notes/d-1", { $0.visits.showNote("d-1") }),
      ("clinic://chart/p-1", { $0.chart.showChart(of: "p-1") }),
      ("clinic://chart/p-1?trend=8867-4", { $0.chart.showTrend(of: "p-1", code: "8867-4") }),
      ("clinic://sync", { $0.sync.showSyncStatus() }), ("clinic://sync/outbox", { $0.sync.showOutbox() }),
      ("clinic://sync/review", { $0.sync.showReview() }), ("clinic://sync/review/3", { $0.sync.showReviewItem(3) }),
    ]
    for (link, navigate) in cases {
      let (opened, navigated) = (RouteShell(), RouteShell())
      opened.open(try Place(link: link))
      navigate(navigated)
      #expect(opened.place == navigated.place, "\(link)")
      #expect(opened.place.link.text == link)
    }
  }

  @Test("each tab keeps its own path")
  func tabs() {
    let shell = RouteShell()
    shell.patients.showPatient(p1)
    shell.scheduling.showAppointment(Appointment.ID("a-1"))
    #expect(shell.place == .scheduling(.appointment(Appointment.ID("a-1"))))
    shell.scheduling.showPatient(Patient.ID("p-2"))
    #expect(shell.place == .patients(.patient(Patient.ID("p-2"))))
    #expect(shell.patients.path.pushed == [.patient(p1), .patient(Patient.ID("p-2"))])
    #expect(shell.back() && shell.place == .patients(.patient(p1)))
    #expect(shell.back() && !shell.back())
    #expect(shell.scheduling.path.pushed == [.appointment(Appointment.ID("a-1"))])
    shell.visits.showPatient(p1)
    shell.home()
    #expect(shell.tab == .patients && shell.patients.path.pushed.isEmpty)
  }

  @Test("what is presented lies over the path, and is what back ends first")
  func modals() {
    let shell = RouteShell()
    shell.patients.showPatient(p1)
    shell.patients.presentRegistration()
    #expect(shell.place == .patients(.registration))
    shell.patients.dismissPresented()
    #expect(shell.place == .patients(.patient(p1)))
    shell.patients.presentRegistration()
    #expect(shell.back() && shell.place == .patients(.patient(p1)))
    shell.patients.showPatient(p1)
    #expect(shell.patients.path.pushed == [.patient(p1)])
  }

  @Test("an error is shown once for a line, in the way its traits ask for")
  func errors() {
    let router = ErrorRouter()
    let inline = AppError(.invalidInput, "x", field: "birthDate")
    let shown: [ErrorPresentation] = [
      inline, AppError(.offline, "x"), AppError(.needsReview, "x"), AppError(.cancelled, "x"),
    ].map { router.present($0) }
    #expect(shown == [.inline(field: "birthDate"), .banner, .question, .logLine])
    router.present(inline)
    #expect(router.take().count == 4 && router.take().isEmpty)
  }
}
