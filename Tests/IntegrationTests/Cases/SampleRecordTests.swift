import Foundation
import JSON
import Testing

/// Records of other programs' making, through a whole sync. They stay outside the repository: `CLINIC_FHIR_SAMPLES`
/// names their folder, else `shared/data/fhir` is looked for in the folders around the package.
@Suite(.fewAtATime) struct SampleRecordTests {
  private static let types = [
    "Patient", "Practitioner", "Location", "Appointment", "Observation", "Encounter", "Condition",
    "AllergyIntolerance", "MedicationRequest", "Immunization", "DocumentReference", "Schedule", "Slot",
  ]

  private static let folder: String? = {
    if let path = ProcessInfo.processInfo.environment["CLINIC_FHIR_SAMPLES"] { return path }
    var folder = URL(fileURLWithPath: #filePath)
    while folder.path != "/" {
      folder.deleteLastPathComponent()
      let candidate = folder.appending(path: "shared/data/fhir").path
      if FileManager.default.fileExists(atPath: candidate) { return candidate }
    }
    return nil
  }()

  @Test(.enabled(if: Self.folder != nil, "CLINIC_FHIR_SAMPLES names no folder with sample records"))
  func `sample records come and go without one being lost or altered`() async throws {
    try await MockServerProcess.with(["--load", try #require(Self.folder)]) { mock in
      try await Desk.with(server: mock.base) { desk in
        try await desk.done("sync")
        var served: [String: String] = [:]
        var patients: [JSONValue] = []
        for type in Self.types {
          let resources = try await mock.resources(type)
          for one in resources { served["\(type)/\(one["id"]?.string ?? "")"] = one.text() }
          if type == "Patient" { patients = resources }
        }
        let keys = try desk.query("SELECT type || '/' || id FROM resource WHERE base IS NOT NULL ORDER BY type, id")
        let bases = try desk.query("SELECT base FROM resource WHERE base IS NOT NULL ORDER BY type, id")
        let stored = Dictionary(uniqueKeysWithValues: zip(keys, bases))
        #expect(served.count > 20 && Set(served.keys) == Set(stored.keys))
        let altered = served.filter { $0.value != stored[$0.key] }.keys.sorted()
        #expect(altered == [])

        // Every patient with an address changes to another phone, while the server is away for this line.
        let edited = patients.filter { $0["telecom"]?.array?.isEmpty == false }.prefix(5)
        for one in edited {
          try await desk.done("patients edit Patient/\(one["id"]?.string ?? "") --offline --phone", "+00 555 1234")
        }
        try await desk.done("sync")
        for old in edited {
          let new = try await mock.resource("Patient/\(old["id"]?.string ?? "")")
          #expect(JSONValue.changedMembers(from: old, to: new) == ["telecom"], "\(old["id"]?.string ?? "")")
          #expect(new["meta"]?["versionId"] != old["meta"]?["versionId"])
        }
      }
    }
  }

  @Test(.enabled(if: Self.folder != nil, "CLINIC_FHIR_SAMPLES names no folder with sample records"))
  func `what was synced is answered with the server gone`() async throws {
    let mock = try await MockServerProcess.start(["--load", try #require(Self.folder)])
    do {
      try await Desk.with(server: mock.base) { desk in
        try await desk.done("sync")
        let patients = try await mock.resources("Patient")
        await mock.kill()
        for one in patients.prefix(10) {
          let id = one["id"]?.string ?? ""
          let shown = try await desk.done("patients show --json Patient/\(id)").records("patient")
          #expect(shown.first?["id"] == .string(id))
          guard let family = one["name"]?[0]?["family"]?.string else { continue }
          let found = try await desk.done("patients search --json --limit 1000 --", family).records("patient")
          #expect(found.contains { $0["id"] == .string(id) }, "\(family)")
        }
        try await desk.done("schedule today")
      }
    } catch {
      await mock.kill()
      throw error
    }
  }
}
