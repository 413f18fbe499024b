import DesignSystem
import Domain
import Sync
import TestSupport
import Testing

@Suite("The store's lines")
struct StoreTests {
  let errors = FakeErrorRouter()

  static let findings = [
    Finding("store", .ok, "/var/clinic, schema 1, sound"),
    Finding("clock", .attention, "90 s ahead of the server's", next: "set this machine's clock"),
    Finding("sign-in", .fault, "the server wants a sign-in", next: "check CLINIC_TOKEN_FILE", code: .signInNeeded),
  ]

  private func commands(_ stores: FakeStores) -> [Command] {
    StoreCommands.commands(of: StoreUpkeep(stores: stores, errors: errors, context: Sample.context()))
  }

  @Test("the specifications are those of the commands, and without contradictions")
  func table() {
    let commands = commands(FakeStores())
    #expect(commands.map(\.spec) == StoreCommands.specs && contradictions(in: commands) == [])
  }

  @Test(
    "what replaces or risks something asks first",
    arguments: [
      (
        "store restore x", FakeStores.Call.restore("x", confirmed: false), FakeStores.Call.restore("x", confirmed: true)
      ),
      ("store salvage", .salvage(confirmed: false), .salvage(confirmed: true)),
      ("store adopt", .adopt(confirmed: false), .adopt(confirmed: true)),
      (
        "store prune --keep-opened 2", .prune(keepingOpened: 2, confirmed: false),
        .prune(keepingOpened: 2, confirmed: true)
      ),
    ])
  func questions(line: String, asked: FakeStores.Call, done: FakeStores.Call) async throws {
    let stores = FakeStores(expecting: asked, done)
    #expect(try await failure(line, commands(stores))?.code == .needsConfirmation)
    _ = try await answer("\(line) --yes", commands(stores))
    #expect(stores.book.calls == [asked, done])
  }

  @Test("a store is moved to the folder that the line names")
  func move() async throws {
    let stores = FakeStores(expecting: .move("elsewhere"))
    _ = try await answer("store move elsewhere", commands(stores))
    #expect(stores.book.calls == [.move("elsewhere")])
    #expect(try await failure("store prune --keep-opened -1", commands(stores))?.code == .invalidInput)
  }

  @Test("faults of a store and of what it needs are errors beside the page")
  func faults() async throws {
    let stores = FakeStores(problems: ["a", "b"], findings: Self.findings, expecting: .check, .diagnose)
    _ = try await answer("store check", commands(stores))
    _ = try await answer("doctor", commands(stores))
    #expect(errors.presented.map(\.code) == [.storeCorrupt, .signInNeeded])
  }
}
