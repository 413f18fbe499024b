import JSON

/// Builds the resources of a `SeededClinic`.
struct ClinicBuilder {
  /// The clinic's day, in days since 1970.
  let day: Int
  let patients: Int
  let practitioners: Int
  private var resources: [JSONValue] = []
  /// Slots of twenty minutes taken so far, by practitioner and day.
  private var taken: [Int: Int] = [:]

  init(day: Int, patients: Int) {
    self.day = day
    self.patients = patients
    practitioners = min(3 + patients / 40, 24)
  }

  mutating func build() -> [JSONValue] {
    resources = [
      [
        "resourceType": "Organization", "id": "organization-1",
        "identifier": [Self.identifier("urn:clinic:site", "S-1")], "active": true,
        "name": "Riverside Clinic", "telecom": [["system": "phone", "value": "+44 20 7946 0000", "use": "work"]],
      ]
    ]
    for number in 1...4 { resources.append(location(number)) }
    for number in 1...practitioners { addPractitioner(number) }
    for number in 0..<patients { addPatient(number + 1) }
    return resources
  }

  // MARK: Places and staff

  private func location(_ number: Int) -> JSONValue {
    let names = ["Consulting room 1", "Consulting room 2", "Treatment room", "Laboratory"]
    return [
      "resourceType": "Location", "id": .string("location-\(number)"),
      "identifier": [Self.identifier("urn:clinic:room", "R-\(number)")], "status": "active",
      "name": .string(names[number - 1]),
      "mode": "instance",
      "managingOrganization": ["reference": "Organization/organization-1", "display": "Riverside Clinic"],
    ]
  }

  private mutating func addPractitioner(_ number: Int) {
    var random = SeededGenerator(seed: 0xA11CE + UInt64(number))
    let person = Person(&random, culture: Culture.all[(number - 1) % Culture.all.count])
    let id = "practitioner-\(Digits.pad(number, 2))"
    var name = person.names[0]
    name["prefix"] = ["Dr"]
    resources.append([
      "resourceType": "Practitioner", "id": .string(id),
      "identifier": [Self.identifier("urn:clinic:staff", "P\(Digits.pad(number, 4))")], "active": true, "name": [name],
      "telecom": [["system": "phone", "value": .string(Self.phone(&random)), "use": "work"]],
      "gender": .string(person.gender),
    ])
    let specialties = [
      ("394814009", "General practice"), ("394579002", "Cardiology"), ("394537008", "Pediatric specialty"),
    ]
    let specialty = specialties[number % specialties.count]
    resources.append([
      "resourceType": "PractitionerRole", "id": .string("role-\(Digits.pad(number, 2))"), "active": true,
      "practitioner": practitioner(number), "organization": ["reference": "Organization/organization-1"],
      "specialty": [Self.concept("http://snomed.info/sct", specialty.0, specialty.1)],
      "location": [["reference": .string("Location/location-\(number % 4 + 1)")]],
    ])
  }

  private func practitioner(_ number: Int) -> JSONValue {
    var random = SeededGenerator(seed: 0xA11CE + UInt64(number))
    let person = Person(&random, culture: Culture.all[(number - 1) % Culture.all.count])
    return [
      "reference": .string("Practitioner/practitioner-\(Digits.pad(number, 2))"),
      "display": .string("Dr \(person.display)"),
    ]
  }

  // MARK: Patients

  private mutating func addPatient(_ number: Int) {
    var random = SeededGenerator(seed: 0xC11A1C + UInt64(number) &* 7919)
    let culture = Culture.all[Int.random(in: 0..<Culture.all.count, using: &random)]
    let person = Person(&random, culture: culture)
    let id = "patient-\(Digits.pad(number, 4))"
    var patient: JSONObject = ["resourceType": "Patient", "id": .string(id)]
    var identifiers: [JSONValue] = []
    if Self.chance(90, &random) {
      identifiers.append(Self.identifier("urn:clinic:mrn", "MRN\(Digits.pad(100_000 + number, 6))", use: "usual"))
    }
    if Self.chance(35, &random) {
      let value = Digits.pad(Int.random(in: 0..<1_000_000_000, using: &random), 10)
      identifiers.append(Self.identifier("urn:oid:2.16.840.1.113883.4.999", value, use: "official"))
    }
    if !identifiers.isEmpty { patient["identifier"] = .array(identifiers) }
    patient["active"] = true
    patient["name"] = .array(person.names)
    var telecom: [JSONValue] = []
    if Self.chance(85, &random) {
      telecom.append(["system": "phone", "value": .string(Self.phone(&random)), "use": "mobile"])
    }
    if Self.chance(40, &random) {
      telecom.append(["system": "email", "value": .string("person\(number)@example.org")])
    }
    if !telecom.isEmpty { patient["telecom"] = .array(telecom) }
    patient["gender"] = .string(person.gender)
    let born = day - Int.random(in: 30...(93 * 365), using: &random)
    patient["birthDate"] = .string(Self.birthDate(born, &random))
    if Self.chance(75, &random) { patient["address"] = [Self.address(culture, &random)] }
    if Self.chance(60, &random) {
      patient["communication"] = [
        [
          "language": ["coding": [["system": "urn:ietf:bcp:47", "code": .string(culture.language)]]], "preferred": true,
        ]
      ]
    }
    patient["managingOrganization"] = ["reference": "Organization/organization-1"]
    resources.append(.object(patient))
    let subject: JSONValue = ["reference": .string("Patient/\(id)"), "display": .string(person.display)]
    let years = max(0, (day - born) / 365)
    addVitals(number, subject, years: years, &random)
    for index in 1...3 where Self.chance(index == 1 ? 80 : 30, &random) {
      addAppointment(number, index, subject, &random)
    }
  }

  /// As precise as records are: mostly a day, sometimes a month or a year.
  private static func birthDate(_ day: Int, _ random: inout SeededGenerator) -> String {
    let text = CivilDate(days: day).text
    return chance(8, &random) ? String(text.prefix(4)) : chance(4, &random) ? String(text.prefix(7)) : text
  }

  private static func address(_ culture: Culture, _ random: inout SeededGenerator) -> JSONValue {
    let street = culture.streets[Int.random(in: 0..<culture.streets.count, using: &random)]
    return [
      "use": "home", "line": [.string("\(street) \(Int.random(in: 1...180, using: &random))")], "city": "Riverside",
      "postalCode": .string(Digits.pad(Int.random(in: 1000...99_999, using: &random), 5)),
      "country": .string(culture.country),
    ]
  }

  // MARK: Appointments

  private mutating func addAppointment(
    _ number: Int, _ index: Int, _ subject: JSONValue, _ random: inout SeededGenerator
  ) {
    let offset = Self.chance(35, &random) ? 0 : Int.random(in: -9...14, using: &random)
    let practitioner = Int.random(in: 1...practitioners, using: &random)
    // Past days fill from the first slot on; a full day overflows into the next.
    var date = day + offset
    while taken[practitioner * 1_000_000 + date, default: 0] >= 24 { date += 1 }
    let slot = taken[practitioner * 1_000_000 + date, default: 0]
    let length = slot < 23 && Self.chance(20, &random) ? 2 : 1
    taken[practitioner * 1_000_000 + date] = slot + length
    let minutes = 8 * 60 + slot * 20 + (slot >= 12 ? 60 : 0)
    let start = Int64(date) * Instant.dayLength + Int64(minutes) * 60_000
    let status = Self.status(date - day, slot, &random)
    var appointment: JSONObject = [
      "resourceType": "Appointment", "id": .string("appointment-\(Digits.pad(number, 4))-\(index)"),
      "identifier": [Self.identifier("urn:clinic:appointment", "A\(Digits.pad(number * 10 + index, 6))")],
      "status": .string(status),
    ]
    if status == "cancelled" {
      appointment["cancelationReason"] = Self.concept(
        "http://terminology.hl7.org/CodeSystem/appointment-cancellation-reason", "pat", "Patient")
    }
    let kind = [
      ("FOLLOWUP", "A follow up visit from a previous appointment"), ("ROUTINE", "Routine appointment"),
      ("CHECKUP", "A routine check-up"),
    ]
    let picked = kind[Int.random(in: 0..<kind.count, using: &random)]
    appointment["appointmentType"] = Self.concept("http://terminology.hl7.org/CodeSystem/v2-0276", picked.0, picked.1)
    appointment["start"] = .string(Instant.text(start))
    appointment["end"] = .string(Instant.text(start + Int64(length) * 1_200_000))
    appointment["minutesDuration"] = .number(JSONNumber(length * 20))
    appointment["created"] = .string(CivilDate(days: min(date, day) - 3).text)
    let patientStatus: JSONValue =
      status == "pending" ? "needs-action" : status == "cancelled" ? "declined" : "accepted"
    appointment["participant"] = [
      ["actor": subject, "required": "required", "status": patientStatus],
      ["actor": self.practitioner(practitioner), "required": "required", "status": "accepted"],
      [
        "actor": ["reference": .string("Location/location-\((practitioner - 1) % 4 + 1)")], "required": "required",
        "status": "accepted",
      ],
    ]
    resources.append(.object(appointment))
  }

  private static func status(_ offset: Int, _ slot: Int, _ random: inout SeededGenerator) -> String {
    let draw = Int.random(in: 0..<100, using: &random)
    if offset < 0 { return draw < 82 ? "fulfilled" : draw < 91 ? "noshow" : "cancelled" }
    if offset == 0 { return slot < 3 ? "arrived" : draw < 92 ? "booked" : "cancelled" }
    return draw < 85 ? "booked" : draw < 94 ? "pending" : "cancelled"
  }

  // MARK: Vital signs

  private mutating func addVitals(_ number: Int, _ subject: JSONValue, years: Int, _ random: inout SeededGenerator) {
    var index = 0
    for _ in 0..<Int.random(in: 0...3, using: &random) {
      let time =
        Int64(day - Int.random(in: 1...400, using: &random)) * Instant.dayLength + Int64.random(
          in: 480...1000, using: &random) * 60_000
      let rate = Int.random(in: 55...98, using: &random) + (years < 6 ? 30 : 0)
      let weight = years < 16 ? 35 + years * 28 : Int.random(in: 480...1100, using: &random)
      let systolic = (years < 16 ? 92 : 105) + Int.random(in: 0...45, using: &random)
      let diastolic = systolic - Int.random(in: 30...50, using: &random)
      var measured = [
        Self.observation("8867-4", "Heart rate", ["valueQuantity": Self.quantity("\(rate)", "beats/minute", "/min")]),
        Self.observation(
          "29463-7", "Body weight", ["valueQuantity": Self.quantity("\(weight / 10).\(weight % 10)", "kg", "kg")]),
      ]
      if years >= 3 {
        measured.append(
          Self.observation(
            "85354-9", "Blood pressure panel with all children optional",
            [
              "component": [
                Self.component("8480-6", "Systolic blood pressure", systolic),
                Self.component("8462-4", "Diastolic blood pressure", diastolic),
              ]
            ]))
      }
      let performer = practitioner(Int.random(in: 1...practitioners, using: &random))
      for (offset, var observation) in measured.enumerated() {
        index += 1
        observation.place("id", .string("observation-\(Digits.pad(number, 4))-\(index)"), after: "resourceType")
        let instant: JSONValue = .string(Instant.text(time + Int64(offset) * 60_000))
        observation.place("subject", subject, after: "code")
        observation.place("effectiveDateTime", instant, after: "subject")
        observation.place("performer", [performer], after: "effectiveDateTime")
        resources.append(.object(observation))
      }
    }
  }

  private static func observation(_ code: String, _ display: String, _ value: JSONObject) -> JSONObject {
    let category = concept("http://terminology.hl7.org/CodeSystem/observation-category", "vital-signs", "Vital Signs")
    let head: JSONObject = [
      "resourceType": "Observation", "status": "final", "category": [category],
      "code": concept("http://loinc.org", code, display),
    ]
    return JSONObject(head.members + value.members)
  }

  private static func component(_ code: String, _ display: String, _ value: Int) -> JSONValue {
    ["code": concept("http://loinc.org", code, display), "valueQuantity": quantity("\(value)", "mmHg", "mm[Hg]")]
  }

  // MARK: Small parts

  private static func quantity(_ value: String, _ unit: String, _ code: String) -> JSONValue {
    [
      "value": JSONNumber(value).map { .number($0) } ?? 0, "unit": .string(unit), "system": "http://unitsofmeasure.org",
      "code": .string(code),
    ]
  }

  private static func concept(_ system: String, _ code: String, _ display: String) -> JSONValue {
    ["coding": [["system": .string(system), "code": .string(code), "display": .string(display)]]]
  }

  private static func identifier(_ system: String, _ value: String, use: String? = nil) -> JSONValue {
    var identifier: JSONObject = [:]
    if let use { identifier["use"] = .string(use) }
    identifier["system"] = .string(system)
    identifier["value"] = .string(value)
    return .object(identifier)
  }

  /// A number that is kept free for fiction.
  private static func phone(_ random: inout SeededGenerator) -> String {
    "+44 7700 900\(Digits.pad(Int.random(in: 0...999, using: &random), 3))"
  }

  private static func chance(_ percent: Int, _ random: inout SeededGenerator) -> Bool {
    Int.random(in: 0..<100, using: &random) < percent
  }
}
