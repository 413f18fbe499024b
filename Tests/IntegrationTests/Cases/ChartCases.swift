import Foundation
import JSON
import Testing
import TestSupport

/// Charts of records that other programs showed wrongly.
@Suite(.fewAtATime) struct ChartCases {
  private static let patient =
    #"{"resourceType":"Bundle","type":"searchset","entry":[{"resource":{"resourceType":"Patient","id":"p-15","name":[{"family":"Quist"}]}}]}"#

  @Test func `withdrawn, refuted and resolved allergies are no current ones`() async throws {
    try await Desk.with { folder in
      let file = try folder.file("patient.json", Self.patient)
      try await CaseStub.with("case-15-plan", adding: ["* GET /Patient \(file)"]) { stub in
        var desk = folder
        desk.server = stub.base
        try await desk.run("sync")
        let shown = try await desk.done("chart p-15").output
        let records = try await desk.done("chart p-15 --json")
        let standings = try records.records("allergy").map { [$0["title"]?.string, $0["standing"]?.string] }
        #expect(
          standings == [
            ["Penicillin", "current"], ["Bee sting", "current"], ["Egg", "past"], ["Latex", "refuted"],
            ["Peanut", "entered-in-error"],
          ], "\(records)")
        let bee = try records.records("allergy").first { $0["title"] == "Bee sting" }
        #expect(bee?["verificationStatus"] == .null && bee?["clinicalStatus"] == "active")
        #expect(try records.records("chart").first?["currentAllergies"]?.int == 2)
        let places = ["Penicillin", "Bee sting", "Past allergies", "Egg", "Refuted allergies", "Latex", "Problems"]
          .compactMap { shown.range(of: $0)?.lowerBound }
        #expect(places.count == 7 && places == places.sorted(), "\(shown)")
        let peanut = try #require(shown.range(of: "Peanut"))
        #expect(shown[..<peanut.lowerBound].contains("Entered in error"), "\(shown)")
      }
    }
  }

  @Test func `withdrawn and refuted allergies alone are none recorded, not none known`() async throws {
    let whole = try JSONValue(parsing: Array(Data(contentsOf: URL(filePath: Cases.path("case-15-allergies.json")))))
    var part = whole
    part["entry"] = .array(Array((whole["entry"]?.array ?? []).prefix(2)))
    part["total"] = 2
    try await Desk.with { folder in
      let file = try folder.file("patient.json", Self.patient)
      let allergies = try folder.file("allergies.json", part.text())
      let rules = ["* GET /Patient \(file)", "* GET /AllergyIntolerance \(allergies)"]
      try await CaseStub.with("case-15-plan", adding: rules) { stub in
        var desk = folder
        desk.server = stub.base
        try await desk.run("sync")
        let shown = try await desk.done("chart p-15").output
        let chart = try await desk.done("chart p-15 --json").records("chart").first
        #expect(shown.contains("none recorded") && !shown.lowercased().contains("no known"), "\(shown)")
        #expect(chart?["allergyStatement"] == "none-recorded" && chart?["currentAllergies"]?.int == 0)
      }
    }
  }

  @Test func `a visit on a merged record asks and leads to the one that stands, whose chart shows both`() async throws {
    try await CaseStub.with("case-57-plan") { stub in
      try await Desk.with(server: stub.base) { desk in
        try await desk.done("patients show p-57a --fresh")
        let unknown = try await desk.run("visits start p-57a")
        try await desk.done("patients show p-57b --fresh")
        try await desk.done("vitals show --patient p-57a --fresh")
        let asked = try await desk.run("visits start p-57a")
        let old = try await desk.done("chart p-57a").output
        let survivor = try await desk.done("chart p-57b").output
        let started = try await desk.done("visits start p-57a --yes --json").records("written").first
        #expect(unknown.status != 0 && unknown.errors.contains("p-57b"), "\(unknown)")
        #expect(asked.status == 3 && asked.errors.contains("p-57b"), "\(asked)")
        #expect(old.contains("merged into another") && old.contains("chart Patient/p-57b"), "\(old)")
        #expect(survivor.contains("66 /min"), "\(survivor)")
        #expect(started?["patient"]?["id"] == "p-57b")
        #expect(try stub.writes().isEmpty)
      }
    }
  }

  @Test func `a visit is opened on a patient without a name`() async throws {
    try await CaseStub.with("case-09-plan") { stub in
      try await Desk.with(server: stub.base) { desk in
        try await desk.run("sync")
        let started = try await desk.done("visits start p-09a --json").records("written").first
        let chart = try await desk.done("chart p-09a").output
        #expect(started?["patient"]?["name"] == .null && started?["patient"]?["identifier"]?.string?.isEmpty == false)
        for word in ["null", "undefined", "()"] { #expect(!chart.contains(word), "\(chart)") }
      }
    }
  }
}
