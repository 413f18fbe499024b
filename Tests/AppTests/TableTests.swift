import DesignSystem
import Domain
import Foundation
import Scheduling
import TestSupport
import Testing

@testable import App

@Suite("The command table")
struct TableTests {
  @Test("has no contradiction, and is the same before and after a store is open")
  func table() throws {
    #expect(ClinicTable.unbound.problems() == [])
    let settings = Settings(
      profile: "clinic", storeDirectory: "/nowhere", zone: .utc, author: .operatingSystemUser("nora"),
      bookingDefaults: .init(), isOffline: false)
    let container = DependencyContainer(
      settings: settings, repositories: FakeClinic().repositories, files: FakeTextFiles(),
      clock: .fixed(Instant(secondsSince1970: 0)),
      reading: .local, currentPatient: { nil }, progress: { _ in })
    #expect(container.commands.map(\.spec) == ClinicTable.unbound.commands.map(\.spec))
  }

  /// With `UPDATE_FIXTURES=1` in the environment the page is written instead.
  @Test("is what the page of commands says")
  func page() throws {
    let url = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Docs/Commands.md")
    let text = CommandsPage.markdown(ClinicTable.unbound)
    if ProcessInfo.processInfo.environment["UPDATE_FIXTURES"] == "1" {
      try text.write(to: url, atomically: true, encoding: .utf8)
    }
    #expect(text == (try String(contentsOf: url, encoding: .utf8)))
  }
}
