import Foundation
import JSON
import Testing
import TestSupport

/// Records that other programs damaged or refused.
@Suite(.fewAtATime) struct RecordCases {
  @Test func `an edit leaves the digits of numbers as they were written`() async throws {
    try await CaseStub.with("case-01-plan") { stub in
      try await Desk.with(server: stub.base) { desk in
        let shown = try await desk.done("vitals show o-01 --fresh")
        let record = try await desk.done("vitals show o-01 --json").output
        try await desk.done("vitals note o-01 --text", "weighed with shoes")
        let sync = try await desk.run("sync")
        let put = try stub.writes()
        let original = try JSONValue(parsing: Array(Data(contentsOf: URL(filePath: Cases.path("case-01-weight.json")))))
        #expect(shown.output.contains("72.50 kg") && record.contains(#""value":72.50"#), "\(shown)")
        #expect(sync.status == 0 && put.map(\.method) == ["PUT"], "\(sync)")
        let body = put.first?.body ?? ""
        for token in [#":72.50,"#, #":50.0,"#, #":90,"#, #":0.0100}"#] { #expect(body.contains(token), "\(body)") }
        #expect(JSONValue.changedMembers(from: original, to: put.first?.document) == ["note"])
        #expect(put.first?.document?["note"]?[0]?["text"] == "weighed with shoes")
      }
    }
  }

  @Test func `a withheld birth date stays withheld`() async throws {
    try await CaseStub.with("case-03-plan") { stub in
      try await Desk.with(server: stub.base) { desk in
        let shown = try await desk.done("patients show p-03 --fresh").output
        let listed = try await desk.done("patients search quist").output
        try await desk.done("patients edit p-03 --phone", "+00 555 7777")
        let sync = try await desk.run("sync")
        let put = try stub.writes().first?.document
        for text in [shown, listed] {
          #expect(text.contains("masked") && !text.contains("1970") && !text.contains("2026-"), "\(text)")
        }
        let original = try JSONValue(
          parsing: Array(Data(contentsOf: URL(filePath: Cases.path("case-03-patient-no-birthdate.json")))))
        #expect(sync.status == 0 && JSONValue.changedMembers(from: original, to: put) == ["telecom"], "\(sync)")
        #expect(put?["_birthDate"] != nil && put?["birthDate"] == nil)
      }
    }
  }

  @Test(
    "birth dates are the same in every time zone, and as precise as written",
    arguments: ["America/Los_Angeles", "Pacific/Auckland", "Pacific/Kiritimati", "UTC"])
  func birthDates(zone: String) async throws {
    let births = ["p-05a": "2012-02-19", "p-05b": "1951", "p-05c": "2025-12-01"]
    try await CaseStub.with("case-05-plan") { stub in
      try await Desk.with(server: stub.base, environment: ["TZ": zone, "CLINIC_ZONE": zone]) { desk in
        try await desk.run("sync")
        for (id, birth) in births.sorted(by: { $0.key < $1.key }) {
          let shown = try await desk.done("patients show \(id)").output
          let record = try await desk.done("patients show \(id) --json").records("patient").first
          #expect(shown.contains(birth) && record?["birthDate"] == .string(birth), "\(shown)")
          let chart = try await desk.done("chart \(id)").output
          #expect(chart.contains(birth), "\(chart)")
          try await desk.done("patients edit \(id) --phone", "+00 555 0505")
        }
        let year = try await desk.done("patients show p-05b").output
        #expect(year.contains("about") || year.contains("or") || year.contains("–"), "\(year)")
        try await desk.run("sync")
        var sent: [String: String] = [:]
        for put in try stub.writes() { sent[put.document?["id"]?.string ?? ""] = put.document?["birthDate"]?.string }
        #expect(sent == births)
      }
    }
  }

  @Test func `patients without a name can be told apart and found`() async throws {
    try await CaseStub.with("case-09-plan") { stub in
      try await Desk.with(server: stub.base) { desk in
        try await desk.done("sync")
        var shown: [String] = []
        for id in ["p-09a", "p-09b", "p-09c", "p-09d"] {
          shown.append(try await desk.done("patients show \(id)").output)
        }
        let recent = try await desk.done("patients recent")
        #expect(shown[0].contains("MRN-0909") && shown[1].contains("MRN-0910"))
        #expect(shown[2].contains("Foundling, ward 3") && shown[3].contains("Solo"))
        for text in shown + [recent.output] {
          for bad in ["null", "undefined", "()", "nil"] { #expect(!text.contains(bad), "\(text)") }
        }
        var found: [String: [String?]] = [:]
        for word in ["MRN-0909", "Foundling", "Solo"] {
          found[word] = try await desk.done("patients search \(word) --json").records("patient").map {
            $0["id"]?.string
          }
        }
        #expect(found == ["MRN-0909": ["p-09a"], "Foundling": ["p-09c"], "Solo": ["p-09d"]])
        let listed = try await desk.done("patients recent --json").records("patient")
        let nameless = listed.filter { $0["id"] == "p-09a" || $0["id"] == "p-09b" }
        #expect(listed.count == 4 && nameless.allSatisfy { $0["name"]?.isNull == true }, "\(recent)")
      }
    }
  }

  @Test func `text behind a NUL is neither cut nor lost`() async throws {
    try await CaseStub.with("case-47-plan", adding: [#"* GET /Observation\? EMPTY"#]) { stub in
      try await Desk.with(server: stub.base) { desk in
        let shown = try await desk.done("vitals show o-47 --fresh")
        let record = try await desk.done("vitals show o-47 --json").records("observation").first
        let search = try await desk.run("patients search after")
        try await desk.done("vitals note o-47 --text", "seen again")
        let sync = try await desk.run("sync")
        let put = try stub.writes().first
        #expect(!shown.output.contains("\0") && shown.output.contains("after"), "\(shown)")
        #expect(record?["result"]?.string?.contains("before\0after") == true, "\(String(describing: record))")
        #expect(search.status == 0)
        #expect(sync.status == 0 && put?.document?["valueString"] == "before\0after", "\(sync)")
        #expect(put?.document?["note"]?.array?.map { $0["text"]?.string } == ["tab\tline\nend", "seen again"])
      }
    }
  }

  @Test func `a patient who was merged into another is not worked with any more`() async throws {
    try await CaseStub.with("case-57-plan") { stub in
      try await Desk.with(server: stub.base) { desk in
        let shown = try await desk.done("patients show p-57a --fresh")
        try await desk.done("patients show p-57b --fresh")
        try await desk.run("sync")
        let found = try await desk.done("patients search mergold --json").records("patient")
        let write = try await desk.run("vitals add pulse 70 --patient p-57a")
        let pulse = try await desk.done("vitals show --patient p-57a --json").records("observation")
        #expect(shown.output.contains("merged into another") && shown.output.contains("p-57b"), "\(shown)")
        #expect(found.allSatisfy { ($0["inUse"] == false) == ($0["id"] == "p-57a") }, "\(found)")
        #expect(write.status == 1 && write.errors.contains("p-57b"), "\(write)")
        #expect(pulse.map { $0["id"] } == ["o-57"])
        #expect(try stub.writes().isEmpty && desk.unsent() == 0)
      }
    }
  }
}
