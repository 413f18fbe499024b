import Domain
import Testing

@Suite("Rules of appointments and vital signs")
struct AppointmentTests {
  @Test("Which state may follow which is this table, and every refusal says why")
  func stateTable() {
    // Columns in the order of the cases: proposed, pending, booked, arrived, fulfilled, cancelled, noshow,
    // entered-in-error, checked-in, waitlist.
    let expected: [AppointmentStatus: String] = [
      .proposed: ".xx..x.x.x", .pending: "x.x..x.x.x", .booked: ".x.xxxxxx.", .arrived: "..x.xx.xx.",
      .fulfilled: ".......x..", .cancelled: ".......x..", .noshow: "..xx...xx.", .enteredInError: "..........",
      .checkedIn: "...xxx.x..", .waitlist: "xxx..x.x..",
    ]
    var table: [AppointmentStatus: String] = [:]
    var unexplained: [String] = []
    for status in AppointmentStatus.allCases {
      table[status] = AppointmentStatus.allCases.map { status.canBecome($0) ? "x" : "." }.joined()
      for next in AppointmentStatus.allCases
      where (status.refusal(toBecome: next) == nil) != status.canBecome(next) {
        unexplained.append("\(status) → \(next)")
      }
    }
    #expect(table == expected)
    #expect(unexplained == [])
  }

  @Test(
    "Appointments overlap half-open and only when both take up time",
    arguments: [
      (visit("09:00", "09:20"), visit("09:10", "09:30"), true),
      (visit("09:00", "09:20"), visit("09:20", "09:40"), false),
      (visit("09:00", "10:00"), visit("09:10", "09:20"), true),
      (visit("09:00", "09:20"), visit("09:00", "09:20", .cancelled), false),
      (visit("09:00", "09:20", .noshow), visit("09:00", "09:20"), false),
      (visit("09:00", "09:20", .enteredInError), visit("09:00", "09:20"), false),
      (visit("09:00", nil), visit("08:00", "12:00"), false),
      (visit("09:00", nil, minutes: 30), visit("09:29", "09:40"), true),
      (visit("09:20", "09:00"), visit("08:00", "12:00"), false),
    ])
  func overlaps(left: Appointment, right: Appointment, expected: Bool) {
    #expect([left.overlaps(right), right.overlaps(left)] == [expected, expected])
  }

  @Test("Two spellings of the same times overlap")
  func overlapsAcrossOffsets() {
    var local = Self.visit("09:00", "09:20")
    local.start = Instant("2027-03-12T04:10:00-05:00")
    local.end = Instant("2027-03-12T04:30:00-05:00")
    #expect(local.overlaps(Self.visit("09:00", "09:20")))
  }

  @Test("A collision names who is taken up twice, and leaves out who declined")
  func namesCollisions() {
    let patient = Appointment.Participant(actor: Reference(reference: "Patient/p-1"))
    let doctor = Appointment.Participant(actor: Reference(reference: "http://h/fhir/Practitioner/d-1"))
    let declined = Appointment.Participant(
      actor: Reference(reference: "Practitioner/d-1"), status: .known(.declined))
    var first = Self.visit("09:00", "09:20")
    first.id = "first"
    first.participant = [patient, doctor]
    var second = Self.visit("09:10", "09:30")
    second.participant = [
      Appointment.Participant(actor: Reference(reference: "Patient/p-2")),
      Appointment.Participant(actor: Reference(reference: "Practitioner/d-1")),
    ]
    #expect(first.collisions(with: second) == [ResourceKey(type: "Practitioner", id: "d-1")])
    second.participant[1] = declined
    #expect(first.collisions(with: second) == [] && first.collisions(with: first) == [])
  }

  @Test("The participants are found by type, also through absolute references and a type said apart")
  func findsParticipants() {
    var appointment = Self.visit("09:00", "09:20")
    appointment.participant = [
      Appointment.Participant(actor: nil),
      Appointment.Participant(actor: Reference(reference: "http://h/Location/l-1")),
      Appointment.Participant(actor: Reference(type: "Practitioner", display: "Dr. Quill")),
      Appointment.Participant(actor: Reference(reference: "Patient/p-1/_history/2")),
    ]
    #expect(
      [appointment.patient?.id?.rawValue, appointment.location?.id?.rawValue, appointment.practitioner?.display]
        == ["p-1", "l-1", "Dr. Quill"])
  }

  @Test(
    "A vital sign's number is plausible, unusual or impossible",
    arguments: [
      (VitalSign.pulse, "72", VitalSign.Plausibility.plausible), (.pulse, "240", .unusual),
      (.pulse, "720", .impossible),
      (.temperature, "37.1", .plausible), (.temperature, "98.6", .impossible), (.temperature, "42.0", .plausible),
      (.temperature, "42.01", .unusual), (.oxygenSaturation, "101", .impossible), (.weight, "-1", .impossible),
      (.weight, "0.9", .unusual), (.height, "1.75", .impossible), (.systolic, "120", .plausible),
      (.diastolic, "8e1", .plausible), (.respiration, "16", .plausible),
    ])
  func judgesVitals(sign: VitalSign, value: String, expected: VitalSign.Plausibility) throws {
    let value = try #require(PreciseDecimal(value))
    #expect(sign.plausibility(of: value) == expected)
    #expect((sign.warning(for: value) == nil) == (expected == .plausible))
  }

  @Test("Every vital sign is found again by its code", arguments: VitalSign.allCases)
  func findsVitalByCode(sign: VitalSign) {
    #expect(VitalSign(sign.concept) == sign)
  }

  private static func visit(
    _ start: String, _ end: String?, _ status: AppointmentStatus = .booked, minutes: Int? = nil
  ) -> Appointment {
    Appointment(
      id: "a", status: .known(status), start: Instant("2027-03-12T\(start):00Z"),
      end: end.flatMap { Instant("2027-03-12T\($0):00Z") }, minutesDuration: minutes)
  }
}
