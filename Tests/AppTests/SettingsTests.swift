import Data
import DesignSystem
import Domain
import Foundation
import Testing

@testable import App

@Suite("Settings")
struct SettingsTests {
  func settings(_ line: String, _ variables: [String: String]) async throws -> Settings {
    let globals = try ClinicTable.unbound.parse(line: line, rows: nil).globals
    return try await Settings.resolve(globals, environment: Environment(variables))
  }

  func withProfile(_ json: String, _ body: (String) async throws -> Void) async throws {
    let home = FileManager.default.temporaryDirectory.appending(path: "clinic-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: home) }
    try json.write(to: home.appending(path: "clinic.json"), atomically: true, encoding: .utf8)
    try await body(home.path)
  }

  @Test("options go before the environment, the environment before the profile")
  func precedence() async throws {
    let json =
      #"{"server": "https://profile/fhir", "zone": "Asia/Kolkata", "practitioner": "dr-1", "plainHTTP": "allow"}"#
    try await withProfile(json) { home in
      var variables = ["CLINIC_HOME": home, "TZ": "UTC", "USER": "nora"]
      let fromProfile = try await settings("", variables)
      #expect(fromProfile.server == "https://profile/fhir" && fromProfile.zone.identifier == "Asia/Kolkata")
      #expect(fromProfile.author == Author(issuer: "os", subject: "nora", practitioner: Practitioner.ID("dr-1")))
      #expect(fromProfile.allowsPlainHTTP)
      #expect(fromProfile.storeDirectory == "\(home)/stores/clinic")
      variables["CLINIC_SERVER"] = "https://environment/fhir"
      variables["CLINIC_ZONE"] = "Europe/Paris"
      let fromEnvironment = try await settings("", variables)
      #expect(fromEnvironment.server == "https://environment/fhir" && fromEnvironment.zone.identifier == "Europe/Paris")
      let fromOptions = try await settings("--server https://option/fhir --store /data --offline", variables)
      #expect(
        fromOptions.server == "https://option/fhir" && fromOptions.storeDirectory == "/data" && fromOptions.isOffline)
    }
  }

  @Test("folders follow the XDG specification, and relative ones are ignored")
  func folders() {
    let environment = Environment([
      "HOME": "/home/nora", "XDG_DATA_HOME": "/data", "XDG_CONFIG_HOME": "relative", "NO_COLOR": "",
    ])
    #expect(environment.dataDirectory == "/data/clinic")
    #expect(environment.configurationDirectory == "/home/nora/.config/clinic")
    #expect(environment.allowsColour)
  }

  @Test(
    "what is not acceptable is refused, with where it was given",
    arguments: [
      ("--server ftp://x", [:], "--server"), ("--server https://u:secret@host/fhir", [:], "password"),
      ("--profile ../x", [:], "profile"), ("", ["CLINIC_ZONE": "Mars/Base"], "CLINIC_ZONE"),
      ("", ["CLINIC_SERVER": "host"], "CLINIC_SERVER"), ("--profile night", [:], "night.json"),
    ] as [(String, [String: String], String)])
  func refusals(line: String, variables: [String: String], part: String) async throws {
    let all = variables.merging(["HOME": "/nowhere"]) { given, _ in given }
    let error = await #expect(throws: AppError.self) { try await settings(line, all) }
    #expect(error?.message.contains(part) == true && error?.message.contains("secret") == false)
  }

  @Test("a profile says what is pulled, and for how long answers are fresh")
  func selection() async throws {
    let json = #"""
      {"zone": "Europe/Paris", "pull": {"locations": ["l-1"], "practitioners": "dr-1", "daysBack": 1, "panelOf": ["dr-2"]},
       "freshness": {"Appointment": {"fresh": "30s"}, "default": {"fresh": "10m", "expired": "2d"}}}
      """#
    try await withProfile(json) { home in
      let settings = try await settings("", ["CLINIC_HOME": home])
      let zone = try #require(ClinicZone("Europe/Paris"))
      #expect(
        settings.selection
          == PullSelection(
            locations: ["l-1"], practitioners: ["dr-1"], daysBack: 1, panelPractitioners: ["dr-2"], zone: zone))
      #expect(settings.windows.windows["Appointment"] == FreshnessWindows.Window(fresh: 30, expired: 86_400))
      #expect(settings.windows.standard == FreshnessWindows.Window(fresh: 600, expired: 172_800))
      #expect(settings.windows.windows["Patient"] == FreshnessWindows.clinical.windows["Patient"])
    }
    try await withProfile("{}") { home in
      let settings = try await settings("", ["CLINIC_HOME": home])
      #expect(settings.selection == nil)
    }
  }

  @Test(
    "a profile that is none is refused",
    arguments: [
      "{\"pull\": \"all\"}", "{\"pull\": {\"days\": \"1\"}}", "{\"pull\": {\"daysBack\": \"-1\"}}",
      "{\"freshness\": {\"Patient\": {\"fresh\": \"soon\"}}}", "{\"freshness\": {\"Bundle\": {}}}",
      "{\"freshness\": {\"Patient\": {\"fresh\": \"9d\", \"expired\": \"1d\"}}}",
      "[1]", "{\"server\": [\"x\"]}", "{\"colour\": \"red\"}", "{\"plainHTTP\": \"yes\"}", "{",
    ])
  func profiles(json: String) async throws {
    try await withProfile(json) { home in
      let error = await #expect(throws: AppError.self) { try await settings("", ["CLINIC_HOME": home]) }
      #expect(error?.code == .invalidInput)
    }
  }
}
