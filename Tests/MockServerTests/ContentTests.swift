import Foundation
import JSON
import MockServer
import Testing

/// A folder of its own that is removed afterwards.
func withFolder<Result>(_ body: (String) async throws -> Result) async throws -> Result {
  let folder = FileManager.default.temporaryDirectory.appending(path: "mock-\(UUID().uuidString)").path()
  try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(atPath: folder) }
  return try await body(folder)
}

private func write(_ text: String, _ path: String) throws {
  try Data(text.utf8).write(to: URL(fileURLWithPath: path))
}

@Suite struct ContentTests {
  @Test func `files of every kind are loaded, what is no resource is told`() async throws {
    try await withFolder { folder in
      try FileManager.default.createDirectory(atPath: "\(folder)/deep", withIntermediateDirectories: true)
      try write(#"{"resourceType":"Patient","id":"single","x":1.50}"#, "\(folder)/a.json")
      try write(
        #"{"resourceType":"Patient","id":"n1"}"# + "\n\n" + #"{"resourceType":"Nonsense"}"# + "\n"
          + #"{"resourceType":"Patient","id":"n2"}"#, "\(folder)/deep/b.ndjson")
      try write(
        #"{"resourceType":"Bundle","type":"transaction","entry":[{"fullUrl":"urn:uuid:11111111-1111-4111-8111-111111111111","resource":{"resourceType":"Patient","identifier":[{"system":"urn:x","value":"9"}]},"request":{"method":"POST","url":"Patient"}},{"fullUrl":"urn:uuid:2","resource":{"resourceType":"Condition","id":"c","subject":{"reference":"urn:uuid:11111111-1111-4111-8111-111111111111"},"asserter":{"reference":"Patient?identifier=urn:x|9"}},"request":{"method":"POST","url":"Condition"}}]}"#,
        "\(folder)/c.json")
      try write(
        #"{"resourceType":"Bundle","type":"history","entry":[{"request":{"method":"DELETE","url":"Patient/h2"}},{"resource":{"resourceType":"Patient","id":"h1","active":true}},{"resource":{"resourceType":"Patient","id":"h1"}},{"resource":{"resourceType":"Patient","id":"h2"}}]}"#,
        "\(folder)/d.json")
      try write(
        #"{"resourceType":"Bundle","type":"searchset","entry":[{"fullUrl":"http://else.test/fhir/Patient/s","resource":{"resourceType":"Patient","id":"s"}},{"resource":{"resourceType":"Condition","id":"sc","subject":{"reference":"http://else.test/fhir/Patient/s"}}}]}"#,
        "\(folder)/e.json")
      try write("not json", "\(folder)/f.json")
      try write("{}", "\(folder)/g.json")
      try write("ignored", "\(folder)/h.txt")
      var loader = MockLoader()
      loader.read(directory: folder)
      #expect(
        loader.records.map { "\($0.type)/\($0.id)\($0.resource == nil ? " deleted" : "")" } == [
          "Patient/single", "Patient/11111111-1111-4111-8111-111111111111", "Condition/c", "Patient/h2", "Patient/h1",
          "Patient/h1",
          "Patient/h2 deleted", "Patient/n1", "Patient/n2", "Patient/s", "Condition/sc",
        ])
      #expect(
        loader.problems.map { String($0.dropFirst(folder.count + 1).prefix(15)) } == [
          "deep/b.ndjson:3", "f.json: unknown", "g.json: not a F",
        ])
      let model = MockModel.standing()
      try model.load(loader.records)
      let references = [("c", "subject"), ("c", "asserter"), ("sc", "subject")].map {
        model.resource("Condition", $0.0)?[$0.1]?["reference"]?.string
      }
      let urn = "Patient/11111111-1111-4111-8111-111111111111"
      #expect(references == [urn, urn, "Patient/s"])
      #expect(
        model.send("GET", "/Patient/h2").status == 410 && model.send("GET", "/Patient/h1/_history/2").status == 200)
      #expect(model.resource("Patient", "single")?["x"] == .number(JSONNumber("1.50") ?? JSONNumber(0)))
      #expect(model.log.isEmpty)
    }
  }

  @Test func `a seeded clinic is the same for the same number and day, and begins a larger one`() {
    let clinic = SeededClinic(patients: 30, day: "2026-11-30").resources
    #expect(SeededClinic(patients: 30, day: "2026-11-30").resources == clinic)
    #expect(SeededClinic(patients: 31, day: "2026-11-30").resources.prefix(clinic.count) == clinic[...])
    #expect(SeededClinic(patients: 30, day: "2026-12-01").resources != clinic)
    let model = MockModel.standing()
    model.load(clinic)
    let counts = model.counts
    #expect(counts["Patient"] == 30 && counts["Appointment", default: 0] > 20 && counts["Observation", default: 0] > 50)
    #expect(model.ids("/Appointment?date=2026-11-30").count > 5)
  }

  @Test func `no practitioner of a seeded clinic is in two places at once, and every reference has its target`() {
    let clinic = SeededClinic(patients: 200, day: "2026-11-30").resources
    let paths = Set(clinic.map { "\($0["resourceType"]?.string ?? "")/\($0["id"]?.string ?? "")" })
    var busy: [String: [(String, String)]] = [:]
    var missing: [String] = []
    for appointment in clinic where appointment["resourceType"] == "Appointment" {
      let span = (appointment["start"]?.string ?? "", appointment["end"]?.string ?? "")
      for participant in appointment["participant"]?.array ?? [] {
        let actor = participant["actor"]?["reference"]?.string ?? ""
        if !paths.contains(actor) { missing.append(actor) }
        if actor.hasPrefix("Practitioner/") { busy[actor, default: []].append(span) }
      }
    }
    let overlaps = busy.values.flatMap { spans in
      let sorted = spans.sorted { $0.0 < $1.0 }
      return zip(sorted, sorted.dropFirst()).filter { $0.0.1 > $0.1.0 }
    }
    #expect(overlaps.isEmpty && missing.isEmpty)
  }
}

@Suite struct JournalTests {
  private static func open(_ path: String) throws -> (MockModel, Bool) {
    let model = MockModel.standing()
    let isLoaded = try model.open(MockJournal(path: path))
    return (model, isLoaded)
  }

  private func file(after story: (MockModel) throws -> Void, in folder: String) throws -> String {
    let path = "\(folder)/journal"
    let (model, isLoaded) = try Self.open(path)
    #expect(!isLoaded)
    model.load([patient("loaded")])
    try model.finishLoading()
    try story(model)
    // A copy, since the first model still holds the file's lock.
    try FileManager.default.copyItem(atPath: path, toPath: "\(path)-copy")
    return "\(path)-copy"
  }

  @Test func `a server that died comes back with every answered write, versions and deletions included`() async throws {
    try await withFolder { folder in
      var before: [String] = []
      let path = try file(
        after: { model in
          model.send("PUT", "/Patient/a", [:], patient("a"))
          model.send("PUT", "/Patient/a", [:], patient("a", "B"))
          model.snapshot()
          model.send("PUT", "/Patient/lost", [:], patient("lost"))
          _ = model.restore()
          model.send("DELETE", "/Patient/loaded")
          before = ["/Patient/a/_history", "/Patient/loaded"].map {
            String(decoding: model.send("GET", $0).body, as: UTF8.self)
          }
        }, in: folder)
      let (model, isLoaded) = try Self.open(path)
      let entries = model.send("GET", "/Patient/a/_history").document?["entry"]
      #expect(isLoaded && before[0].contains(entries?.text() ?? "none"))
      #expect(
        ["/Patient/loaded", "/Patient/lost", "/Patient/a"].map { model.send("GET", $0).status } == [410, 404, 200])
      #expect(model.send("PUT", "/Patient/a", [:], patient("a", "C")).headers["ETag"] == "W/\"3\"")
    }
  }

  @Test func `a torn last line is dropped and the journal goes on after it`() async throws {
    try await withFolder { folder in
      let path = try file(after: { $0.send("PUT", "/Patient/a", [:], patient("a")) }, in: folder)
      let whole = try Data(contentsOf: URL(fileURLWithPath: path))
      for torn in [Data(#"{"writes":[{"type":"Patient","id":"#.utf8), Data(#"{"writes":[]}"#.utf8)] {
        try (whole + torn).write(to: URL(fileURLWithPath: path))
        do {
          let (model, isLoaded) = try Self.open(path)
          #expect(isLoaded && model.resources("Patient").count == 2)
          model.send("PUT", "/Patient/b", [:], patient("b"))
        }
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.split(separator: "\n").count == 4 && text.hasSuffix("\n"))
      }
      try (Data("garbage\n".utf8) + whole).write(to: URL(fileURLWithPath: path))
      #expect(throws: MockJournalError.self) { try Self.open(path) }
    }
  }

  @Test func `a first load that was cut short is not taken for complete`() async throws {
    try await withFolder { folder in
      let path = "\(folder)/journal"
      try write(
        #"{"writes":[{"type":"Patient","id":"half","versionId":"1","time":0,"method":"POST","resource":{"resourceType":"Patient","id":"half"}}]}"#
          + "\n", path)
      let (model, isLoaded) = try Self.open(path)
      #expect(!isLoaded && model.resources("Patient").isEmpty)
    }
  }

  @Test func `a journal in use is refused`() async throws {
    try await withFolder { folder in
      let (model, _) = try Self.open("\(folder)/journal")
      #expect(throws: MockJournalError.self) { try Self.open("\(folder)/journal") }
      _ = model
    }
  }
}
