import JSON
import Testing
import TestSupport

/// What people type to find a patient.
@Suite(.fewAtATime) struct SearchCases {
  @Test func `letters of every script are found in either case`() async throws {
    try await CaseStub.with("case-11-plan", adding: [#"* GET fhir/(?!Patient) EMPTY"#]) {
      stub in
      try await Desk.with(server: stub.base) { desk in
        try await desk.done("sync")
        await stub.stop()
        var found: [[String?]] = []
        for query in try Cases.lines("case-11-queries.txt") {
          found.append(try await desk.done("patients search --json", query).records("patient").map { $0["id"]?.string })
        }
        #expect(found == [["p-11a"], ["p-11a"], ["p-11a"], ["p-11b"], ["p-11b"], ["p-11c"]])
        let sorted = try await desk.done("patients recent --json").records("patient")
        #expect(sorted.isEmpty)
      }
    }
  }

  @Test func `what is typed is never read as a query language`() async throws {
    try await CaseStub.with("case-13-plan", adding: [#"* GET fhir/(?!Patient) EMPTY"#]) {
      stub in
      try await Desk.with(server: stub.base) { desk in
        try await desk.done("sync")
        await stub.stop()
        var found: [String: [String]] = [:]
        for query in try Cases.lines("case-13-queries.txt") {
          let result = try await desk.run("patients search --json --", query)
          found[query] = try result.records("patient").compactMap { $0["id"]?.string }
          // Punctuation alone may be pointed out as nothing to search for.
          let isPunctuation = !query.contains { $0.isLetter }
          #expect(result.status == 0 || isPunctuation && [1, 2].contains(result.status), "\(result)")
          for word in ["SQL", "FTS", "MATCH", "syntax"] { #expect(!(result.output + result.errors).contains(word)) }
        }
        #expect(found["O'Neil-Parke"] == ["p-13a"] && found["neil-p"] == ["p-13a"])
        #expect(found["OR"] == ["p-13b"] && found["And Or"] == ["p-13b"])
        let words = ["NEAR(", "Near*", "-Near"]
        #expect(words.allSatisfy { [["p-13c"], []].contains(found[$0]) }, "\(found)")
        #expect(found["family:Near"]?.count ?? 9 < 4)
        #expect(["\"", "\"\"", ")", "@@@"].allSatisfy { found[$0] == [] }, "\(found)")
      }
    }
  }
}
