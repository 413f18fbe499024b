import Chart
import DesignSystem
import Domain
import Patients
import Scheduling
import Sync
import Testing
import Visits

@testable import App

/// A shell with coordinators that the test holds.
struct TestShell {
  let shell = RouteShell()
  let patients = PatientsCoordinator()
  let scheduling = SchedulingCoordinator()
  let visits = VisitsCoordinator()
  let chart = ChartCoordinator()
  let sync = SyncCoordinator()

  init() {
    shell.mount("patients", patients)
    shell.mount("schedule", scheduling)
    shell.mount("visits", visits)
    shell.mount("chart", chart)
    shell.mount("sync", sync)
  }

  func at(_ link: String) -> Bool { shell.place.link.text == link }
}

@Suite("The shell and its coordinators")
struct ShellTests {
  let p1 = Patient.ID("p-1")

  @Test("links and navigation lead to the same routes")
  func links() throws {
    let day = try #require(CalendarDay("2026-12-01"))
    let cases: [(String, (TestShell) -> Void)] = [
      ("clinic://patients", { $0.shell.home() }),
      ("clinic://patients/p-1", { $0.patients.showPatient(Patient.ID("p-1")) }),
      ("clinic://patients?search=ana", { $0.patients.showPatientSearch("ana") }),
      ("clinic://patients?register", { $0.patients.presentRegistration() }),
      ("clinic://schedule/2026-12-01", { $0.scheduling.showSchedule(of: day) }),
      ("clinic://schedule/2026-12-01?week", { $0.scheduling.showWeek(of: day) }),
      ("clinic://schedule/2026-12-01?slots", { $0.scheduling.showSlots(of: day) }),
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
      let (opened, navigated) = (TestShell(), TestShell())
      opened.shell.open(try opened.shell.place(link: link))
      navigate(navigated)
      #expect(opened.shell.place == navigated.shell.place, "\(link)")
      #expect(opened.shell.place.link.text == link)
    }
  }

  @Test(
    "a link that does not resolve says why and leaves one where one is",
    arguments: ["clinic://nowhere", "clinic://sync/review/x", "clinic://schedule/2026-13-01", "http://patients/1"])
  func dead(link: String) {
    let test = TestShell()
    test.patients.showPatient(p1)
    #expect(throws: AppError.self) { try test.shell.place(link: link) }
    #expect(test.at("clinic://patients/p-1"))
  }

  @Test("each tab keeps its own path")
  func tabs() {
    let test = TestShell()
    test.patients.showPatient(p1)
    test.scheduling.showAppointment(Appointment.ID("a-1"))
    #expect(test.at("clinic://appointments/a-1"))
    test.scheduling.showPatient(Patient.ID("p-2"))
    #expect(test.at("clinic://patients/p-2"))
    #expect(test.patients.path.pushed == [.patient(p1), .patient(Patient.ID("p-2"))])
    #expect(test.shell.back() && test.at("clinic://patients/p-1"))
    #expect(test.shell.back() && !test.shell.back())
    #expect(test.scheduling.path.pushed == [.appointment(Appointment.ID("a-1"))])
    test.visits.showPatient(p1)
    test.shell.home()
    #expect(test.shell.tab == "patients" && test.patients.path.pushed.isEmpty)
  }

  @Test("what is presented lies over the path, and is what back ends first")
  func modals() {
    let test = TestShell()
    test.patients.showPatient(p1)
    test.patients.presentRegistration()
    #expect(test.at("clinic://patients?register"))
    #expect(test.shell.restingPlace.link.text == "clinic://patients/p-1")
    test.patients.dismissPresented()
    #expect(test.at("clinic://patients/p-1"))
    test.patients.presentRegistration()
    #expect(test.shell.back() && test.at("clinic://patients/p-1"))
    test.patients.showPatient(p1)
    #expect(test.patients.path.pushed == [.patient(p1)])
  }

  @Test("what is presented and not saved stays over the path until it is saved or given up")
  func unsaved() {
    let test = TestShell()
    test.patients.presentRegistration()
    test.patients.keepUnsaved(
      UnsavedEntry(what: "the registration of Ana", entered: "patients register --given Ana"))
    test.patients.showPatient(p1)
    #expect(test.at("clinic://patients?register") && test.shell.unsaved == ["the registration of Ana"])
    test.sync.showOutbox()
    #expect(test.at("clinic://sync/outbox") && test.shell.unsaved(in: "sync") == nil)
    test.patients.dismissPresented()
    #expect(test.shell.unsaved.isEmpty && test.patients.current == .patient(p1))
    test.patients.keepUnsaved(UnsavedEntry(what: "nothing is presented", entered: ""))
    #expect(test.shell.unsaved.isEmpty)
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
