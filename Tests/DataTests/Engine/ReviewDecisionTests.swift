import Data
import Domain
import JSON
import MockServer
import TestSupport
import Testing

@Suite("Review: a decision does what it says, element by element")
struct ReviewDecisionTests {
  /// A patient whose phone and gender were changed here and at the server, and whose name only here.
  private func disputed() async throws -> (TestClinic, ReviewItem) {
    let clinic = try await TestClinic.open()
    clinic.serverPatient("p-1", phone: "1")
    try await clinic.sync()
    _ = try await clinic.data.patients.edit("p-1") { patient in
      patient.telecom[0].value = "2"
      patient.gender = .known(.female)
      patient.name[0].given = ["Ana"]
    }
    clinic.change("Patient", "p-1") {
      $0["telecom"] = [["system": "phone", "use": "home", "value": "3"]]
      $0["gender"] = "other"
    }
    try await clinic.sync()
    return (clinic, try #require(await clinic.review().first))
  }

  private func texts(_ item: ReviewItem, _ side: KeyPath<ReviewItem.Element, ReviewItem.Value?>) -> [String] {
    item.elements.map { $0[keyPath: side]?.text ?? "-" }
  }

  @Test("an item shows the three values of each element in words, and what each side did when")
  func words() async throws {
    let (clinic, item) = try await disputed()
    #expect(item.elements.map(\.label) == ["phone (home)", "gender"])
    #expect(texts(item, \.base) == ["1", "-"])
    #expect(texts(item, \.mine) == ["2", "female"])
    #expect(texts(item, \.theirs) == ["3", "other"])
    #expect(item.serverTime != nil && item.writtenAt != nil && item.serverVersion == "2")
    await clinic.remove()
  }

  @Test(
    "each element gets the value that was chosen, and what was not in dispute is sent as well",
    arguments: [
      ("mine", "theirs", "2", "other"), ("theirs", "mine", "3", "female"), ("mine", "mine", "2", "female"),
      ("theirs", "theirs", "3", "other"),
    ])
  func fields(phoneSide: String, genderSide: String, phone: String, gender: String) async throws {
    let (clinic, item) = try await disputed()
    let sides = [phoneSide, genderSide].compactMap { ReviewDecision.Side(rawValue: $0) }
    let choices = [ReviewDecision.FieldChoice("phone (home)", sides[0]), .init("gender", sides[1])]
    _ = try await clinic.data.review.decide(item.number, .fields(choices), confirmed: false)
    #expect(try await clinic.sync().outcome == .complete)
    let stored = try #require(clinic.model.resource("Patient", "p-1"))
    #expect(stored.phone == phone)
    #expect(stored["gender"]?.string == gender)
    #expect(stored["name"]?[0]?["given"]?[0]?.string == "Ana")
    await clinic.remove()
  }

  @Test("where nothing of an edit would be left, the choice for the server is asked about, and then carried out")
  func nothingLeft() async throws {
    let clinic = try await TestClinic.open()
    try await clinic.conflict()
    let item = try #require(await clinic.review().first)
    // A word of its label is enough.
    let choice = ReviewDecision.fields([.init("phone", .theirs)])
    let asked = await #expect(throws: AppError.self) {
      _ = try await clinic.data.review.decide(item.number, choice, confirmed: false)
    }
    #expect(asked?.code == .needsConfirmation && asked?.message.contains("give up what was written here") == true)
    let outcome = try await clinic.data.review.decide(item.number, choice, confirmed: true)
    #expect(!outcome.needsSync && outcome.discarded.count == 1)
    #expect(await clinic.outbox().isEmpty)
    #expect(await clinic.patient("p-1")?.telecom.first?.value == "3")
    await clinic.remove()
  }

  @Test("an element left undecided, or one that is not in dispute, is named, and nothing is decided")
  func undecided() async throws {
    let (clinic, item) = try await disputed()
    for (choices, word) in [
      ([ReviewDecision.FieldChoice("gender", .mine)], "telecom[phone,home]"),
      ([.init("birthDate", .mine)], "\"birthDate\" is not in dispute"),
      ([.init("gender", .mine), .init("gender", .theirs), .init("telecom", .mine)], "decided both ways"),
    ] {
      let error = await #expect(throws: AppError.self) {
        _ = try await clinic.data.review.decide(item.number, .fields(choices), confirmed: true)
      }
      #expect(error?.code == .invalidInput && error?.message.contains(word) == true)
    }
    #expect(await clinic.review().count == 1)
    await clinic.remove()
  }

  @Test("a decision on values that are not there any more is refused, and names the item that shows those of now")
  func overtakenByPull() async throws {
    let (clinic, item) = try await disputed()
    clinic.change("Patient", "p-1") { $0["gender"] = "unknown" }
    try await clinic.sync()
    let error = await #expect(throws: AppError.self) {
      _ = try await clinic.data.review.decide(item.number, .keepMine, confirmed: true)
    }
    let shown = try #require(await clinic.review().first)
    #expect(error?.code == .notFound && shown.number != item.number)
    #expect(error?.message.contains("the server changed again") == true)
    #expect(error?.hint == "review show \(shown.number), which took its place")
    #expect(texts(shown, \.theirs) == ["3", "unknown"])
    #expect(shown.serverVersion == "3")
    _ = try await clinic.data.review.decide(shown.number, .keepMine, confirmed: true)
    #expect(try await clinic.sync().outcome == .complete)
    #expect(clinic.model.resource("Patient", "p-1")?["gender"]?.string == "female")
    await clinic.remove()
  }

  @Test("a refusal shows what the server said by element; a corrected write goes again", arguments: ServerKind.allCases)
  func amendment(kind: ServerKind) async throws {
    let clinic = try await TestClinic.open(profile: kind.profile)
    _ = try await clinic.register(family: "Ferow", phone: "1")
    for method in ["POST", "PUT"] { clinic.model.add(MockFault.status(422, method: method, times: 1)) }
    try await clinic.sync()
    let item = try #require(await clinic.review().first)
    #expect(item.kind == .refusal && item.elements.map(\.label).contains("name"))
    let error = await #expect(throws: AppError.self) {
      _ = try await clinic.data.review.decide(item.number, .amend([.init("birthDate", "1980")]), confirmed: false)
    }
    #expect(error?.hint?.contains("name[-].family") == true)
    _ = try await clinic.data.review.decide(
      item.number, .amend([.init("name[-].family", "Ferrow"), .init("phone (home)", "2")]), confirmed: false)
    clinic.model.removeFaults()
    #expect(try await clinic.sync().outcome == .complete)
    let stored = try #require(clinic.model.resources("Patient").first)
    #expect(stored["name"]?[0]?["family"]?.string == "Ferrow" && stored.phone == "2")
    await clinic.remove()
  }

  /// Three measurements of one action, of which the server takes the first and refuses the second.
  private func halfApplied() async throws -> (TestClinic, ReviewItem) {
    let clinic = try await TestClinic.open(profile: .poor)
    clinic.serverPatient("p-1", phone: "1")
    try await clinic.sync()
    let measured = ["Pulse", "Weight", "Height"].map { name in
      ClinicalObservation(
        id: "", status: .known(.final), code: CodeableConcept(text: name),
        subject: Reference(ResourceKey(type: "Patient", id: "p-1")))
    }
    _ = try await clinic.data.observations.record(measured)
    clinic.model.add(MockFault.status(422, method: "POST", path: "Observation", skip: 1, times: 1))
    try await clinic.sync()
    return (clinic, try #require(await clinic.review().first))
  }

  @Test("an action that was applied in part says what the server has of it, and what stopped")
  func partOfAnAction() async throws {
    let (clinic, item) = try await halfApplied()
    #expect(item.kind == .halfApplied && item.applied.count == 1 && item.applied[0].summary.contains("Pulse"))
    #expect(item.waiting.map(\.falls) == [false] && item.waiting[0].summary.contains("Height"))
    #expect(await clinic.outbox().count == 2)
    _ = try await clinic.data.review.decide(item.number, .retry, confirmed: false)
    #expect(try await clinic.sync().outcome == .complete)
    #expect(clinic.model.resources("Observation").count == 3)
    await clinic.remove()
  }

  @Test("when the refused part of an action is given up, the rest of it goes on")
  func restOfAnAction() async throws {
    let (clinic, item) = try await halfApplied()
    _ = try await clinic.data.review.decide(item.number, .discard, confirmed: true)
    #expect(try await clinic.sync().outcome == .complete)
    #expect(clinic.model.resources("Observation").count == 2)
    await clinic.remove()
  }

  @Test("a refused edit that is sent again is merged with what the server has by then, whatever its If-Match is worth")
  func retriedOnNewest() async throws {
    let clinic = try await TestClinic.open()
    clinic.serverPatient("p-1", phone: "1")
    try await clinic.sync()
    try await clinic.setPhone("2", of: "p-1")
    clinic.model.add(MockFault.status(422, method: "PUT", times: 1))
    try await clinic.sync()
    clinic.change("Patient", "p-1") { $0["gender"] = "other" }
    let item = try #require(await clinic.review().first)
    _ = try await clinic.data.review.decide(item.number, .retry, confirmed: false)
    clinic.transport.forgetSent()
    #expect(try await clinic.sync(pulls: false).outcome == .complete)
    let sent = clinic.transport.sent
    #expect(sent.first?.hasPrefix("GET") == true && sent.count { $0.hasPrefix("PUT") } == 1, "\(sent)")
    #expect(clinic.model.resource("Patient", "p-1")?["gender"]?.string == "other")
    await clinic.remove()
  }

  @Test("what does not fit a kind of item is not decided", arguments: ReviewItem.Kind.allCases)
  func fitting(kind: ReviewItem.Kind) {
    let decisions: [ReviewDecision] = [.keepMine, .keepTheirs, .fields([]), .retry, .amend([]), .discard]
    let fitting = decisions.filter { $0.fits(kind) }.map(\.word)
    let table: [ReviewItem.Kind: [String]] = [
      .conflict: ["keepMine", "keepTheirs", "fields", "discard"],
      .deletedRemotely: ["keepMine", "keepTheirs", "discard"],
      .massDisappearance: ["keepMine", "keepTheirs"], .refusal: ["retry", "amend", "discard"],
      .halfApplied: ["retry", "amend", "discard"],
    ]
    #expect(fitting == table[kind, default: ["retry", "discard"]])
  }
}
