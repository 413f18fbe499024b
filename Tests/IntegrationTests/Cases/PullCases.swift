import Domain
import JSON
import Testing
import TestSupport

/// Servers whose pages are not as one would wish.
@Suite(.fewAtATime) struct PullCases {
  @Test func `a next link without a host is followed as it stands, and a repeated patient is kept once`() async throws {
    try await CaseStub.with("case-21-plan") { stub in
      try await Desk.with(server: stub.base) { desk in
        let token = try desk.file("token", "abc-21\n")
        let with = Desk(folder: desk.folder, server: desk.server, environment: ["CLINIC_TOKEN_FILE": token])
        try await with.done("sync")
        let pages = try stub.requests().filter { $0.target.hasPrefix("/fhir/Patient") }
        // Where the rows tell no order in which they stand, or tell one stamp only, both pages may be read twice.
        #expect(pages.map(\.target).dropFirst().first == "/fhir/Patient?_count=2&_page=eyJvIjoyfQ%3D%3D")
        #expect(pages.count <= 4 && pages.allSatisfy { $0.headers["authorization"] == "Bearer abc-21" })
        let found = try await desk.done("patients search page --json").records("patient").compactMap {
          $0["id"]?.string
        }
        #expect(found.sorted() == ["p-21a", "p-21b", "p-21c"])
      }
    }
  }

  @Test(
    "what changed is asked for by the server's time, whatever the clock here says",
    arguments: ["2026-11-30T11:00:00Z", "2026-11-29T10:00:00Z"])
  func serverTime(here: String) async throws {
    try await CaseStub.with("case-23-plan") { stub in
      try await Desk.with(server: stub.base, environment: try await ShiftedClock.environment(at: here)) { desk in
        try await desk.done("sync")
        try await desk.done("sync")
        let pages = try stub.requests().filter { $0.target.hasPrefix("/fhir/Patient") }
        let since = pages.last?.target.firstMatch(of: /_lastUpdated=ge([^&]+)/).map { String($0.1) }
        let asked = since?.replacing("%3A", with: ":").replacing("%2B", with: "+")
        let instant = try #require(asked.flatMap(Instant.init), "\(pages.map(\.target))")
        let latest = try #require(Instant("2026-11-30T10:00:00Z"))
        let earliest = try #require(Instant("2026-11-30T09:40:00Z"))
        #expect(instant <= latest && earliest <= instant, "\(pages.map(\.target))")
        let found = try await desk.done("patients search skew --json").records("patient").compactMap {
          $0["id"]?.string
        }
        #expect(found.sorted() == ["p-23a", "p-23b"])
      }
    }
  }

  @Test func `a record that was deleted at the server is not used any more`() async throws {
    try await CaseStub.with("case-25-plan") { stub in
      try await Desk.with(server: stub.base) { desk in
        try await desk.done("patients show p-25 --fresh")
        let before = try await desk.done("patients search vanish --json").records("patient").count
        let again = try await desk.run("patients show p-25 --fresh")
        let after = try await desk.done("patients search vanish --json").records("patient").count
        let recent = try await desk.done("patients recent --json").records("patient").count
        let offline = try await desk.run("patients show p-25")
        let write = try await desk.run("vitals add pulse 70 --patient p-25")
        #expect([before, after, recent] == [1, 0, 0])
        for result in [again, offline] { #expect((result.output + result.errors).contains("deleted"), "\(result)") }
        #expect(write.status == 1 && write.errors.contains("deleted"), "\(write)")
        #expect(try desk.unsent() == 0)
      }
    }
  }

  @Test func `an answer that breaks off changes nothing`() async throws {
    try await CaseStub.with("case-33-plan") { stub in
      try await Desk.with(server: stub.base) { desk in
        func mark() throws -> [String] {
          try desk.query("SELECT coalesce(watermark, '-') || coalesce(cursor, '-') FROM scope WHERE type = 'Patient'")
        }
        var statuses: [Int32] = []
        var marks: [[String]] = []
        var found: [[String?]] = []
        for _ in 1...4 {
          statuses.append(try await desk.run("sync").status)
          marks.append(try mark())
          found.append(
            try await desk.done("patients search --json -- already cut").records("patient").map { $0["id"]?.string }
              + (try await desk.done("patients search already --json").records("patient").map { $0["id"]?.string }))
        }
        #expect(statuses == [0, 4, 4, 0])
        #expect(marks[1] == marks[0] && marks[2] == marks[0])
        #expect(found == Array(repeating: ["p-33x"], count: 4))
      }
    }
  }

  @Test func `only matches are results: included records are kept, warnings are passed on`() async throws {
    try await CaseStub.with("case-17-plan") { stub in
      try await Desk.with(server: stub.base) { desk in
        let online = try await desk.done("schedule 2027-01-11 --fresh")
        let offline = try await desk.done("schedule 2027-01-11 --offline --json").records("appointment")
        let program = try await desk.done("schedule 2027-01-11 --fresh --json")
        #expect(offline.compactMap { $0["id"]?.string }.sorted() == ["a-17a", "a-17b"])
        #expect(offline.allSatisfy { $0["patientText"]?.string?.contains("Includa") == true }, "\(offline)")
        #expect(!online.output.contains("OperationOutcome"))
        let warnings = try program.records("warning").compactMap { $0["message"]?.string }
        #expect(online.errors.contains("practitioner-tag"), "\(online)")
        #expect(warnings.contains { $0.contains("practitioner-tag") }, "\(program)")
        let patients = try await desk.done("patients search includa --json").records("patient")
        #expect(patients.count == 1)
      }
    }
  }

  @Test func `references in every form join, and stay as they were written`() async throws {
    // The patient is served as well: a desk shows the vital signs of people whom it knows.
    let rules = [
      #"* GET /Patient/p-19$ BODY {"resourceType":"Patient","id":"p-19","name":[{"family":"Refer"}]}"#,
      "* GET /Observation/ STATUS 404",
    ]
    try await CaseStub.with("case-19-plan", adding: rules) { stub in
      try await Desk.with(server: stub.base) { desk in
        try await desk.done("sync")
        try await desk.done("patients show p-19 --fresh")
        let shown = try await desk.done("vitals show --patient p-19 --json").records("observation")
        #expect(shown.compactMap { $0["id"]?.string }.sorted() == ["o-19a", "o-19b", "o-19c", "o-19d"])
      }
    }
    try await CaseStub.with("case-19-plan") { stub in
      try await Desk.with(server: stub.base) { desk in
        try await desk.done("sync")
        try await desk.done("vitals note o-19c --text", "counted twice")
        let sync = try await desk.run("sync")
        let put = try stub.writes()
        #expect(sync.status == 0 && put.map(\.target) == ["/fhir/Observation/o-19c"], "\(sync)")
        #expect(put.first?.document?["subject"]?["reference"] == "Patient/p-19/_history/3")
      }
    }
  }
}
