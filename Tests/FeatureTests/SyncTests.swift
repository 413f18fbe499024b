import DesignSystem
import Domain
import Sync
import TestSupport
import Testing

@Suite("Sync")
struct SyncTests {
  let errors = FakeErrorRouter()
  let coordinator = FakeCoordinator()

  func commands(
    _ sync: FakeSyncRepository = FakeSyncRepository(), _ outbox: FakeOutbox = FakeOutbox(),
    resolver: FakeResolver = FakeResolver(), allowsRequests: Bool = true
  ) -> [Command] {
    SyncCommands.commands(
      of: SyncFeature(
        sync: sync, outbox: outbox, review: outbox, resolver: resolver, coordinator: coordinator, errors: errors,
        context: Sample.context(), allowsRequests: allowsRequests))
  }

  static let entry = OutboxItemDetail(
    item: OutboxItem(
      number: 12, key: Sample.ana.key, kind: .update, state: .ambiguous, summary: "change Pérez, Ana",
      author: Sample.nora, writtenAt: Sample.now, attempts: 1, reason: "no answer came"),
    changes: [ElementChange(path: "telecom[phone].value", old: "\"1\"", new: nil)], baseVersion: "3",
    history: [OutboxTransition(at: Sample.now, from: "pending", to: "sending", reason: "claimed")])

  static let conflict = ReviewItem(
    number: 3, kind: .conflict, key: Sample.ana.key, entry: 12, author: Sample.nora, subject: "Pérez, Ana",
    since: Sample.now, writtenAt: Sample.now, explanation: "the same was changed here and at the server",
    elements: [
      ReviewItem.Element(
        path: "telecom[phone,mobile]", label: "phone (mobile)", base: value("1"), mine: value("2"), theirs: nil),
      ReviewItem.Element(
        path: "gender", label: "gender", base: nil, mine: value("female"), theirs: value("other")),
    ], serverVersion: "4", serverTime: Sample.now,
    waiting: [ReviewItem.WaitingEntry(number: 13, summary: "change Pérez, Ana", falls: false)])

  /// Case 24: the server says which element it does not take.
  static let refusal = ReviewItem(
    number: 4, kind: .refusal, key: Sample.ana.key, entry: 14, author: Sample.nora, subject: "Pérez, Ana",
    since: Sample.now, writtenAt: Sample.now, explanation: "the server answered 422: birthDate is in the future",
    issues: [
      ReviewItem.Issue(
        severity: "error", code: "value", text: "birthDate is in the future", elements: ["Patient.birthDate"]),
      ReviewItem.Issue(severity: "warning", code: nil, text: "no phone"),
    ],
    elements: [
      ReviewItem.Element(path: "birthDate", label: "birth date", base: nil, mine: value("2080-05-17"), theirs: nil)
    ], waiting: [ReviewItem.WaitingEntry(number: 15, summary: "pulse of Pérez, Ana", falls: true)])

  private static func value(_ text: String) -> ReviewItem.Value { ReviewItem.Value(json: "\"\(text)\"", text: text) }

  @Test("the specifications are those of the commands, and without contradictions")
  func table() {
    #expect(commands().map(\.spec) == SyncCommands.specs)
    #expect(contradictions(in: commands()) == [])
  }

  @Test("the options of a sync reach it")
  func options() async throws {
    let expected = SyncOptions(
      pushes: true, pulls: false, maximumTime: .seconds(30), waits: true, untilEmpty: true, logFile: "x.log",
      maximumBytes: 10_000_000)
    let sync = FakeSyncRepository(expecting: .sync(expected))
    _ = try await answer(
      "sync --no-pull --max-time 30s --wait --until-empty --log x.log --max-bytes 10MB", commands(sync))
    #expect(sync.book.calls == [.sync(expected)])
    #expect(try await failure("sync --no-pull --no-push", commands())?.code == .invalidInput)
    #expect(try await failure("sync", commands(allowsRequests: false))?.code == .offline)
    #expect(try await failure("sync --watch", commands(allowsRequests: false))?.code == .offline)
    #expect(try await failure("sync --watch --until-empty", commands())?.code == .invalidInput)
  }

  @Test("a watch tells of every pass in which something happened, and ends when nobody reads")
  func watch() async throws {
    let sync = FakeSyncRepository(expecting: .watch(SyncOptions()), .requestStop)
    let report = SyncReport(outcome: .complete, types: [SyncReport.TypeCounts(type: "Patient", sent: 2, pulled: 1)])
    sync.end(.success(report))
    let model = SyncViewModel(sync: sync, errors: errors, context: Sample.context())
    var lines: [Page] = []
    await model.watch(SyncOptions()) { display in
      lines.append(SyncScreen.line(display, at: Sample.now))
      return false
    }
    #expect(lines.flatMap(\.blocks) == [.paragraph("2026-11-30 10:00 EST: sent 2, received 1")])
    #expect(sync.book.calls == [.watch(SyncOptions()), .requestStop])
    guard case .done(let display) = model.run else { Issue.record("\(model.run)"); return }
    #expect(display.report == report)
  }

  @Test(
    "what kept a sync from finishing is presented beside its report",
    arguments: [
      (SyncReport(outcome: .complete), []),
      (SyncReport(outcome: .needsReview, inReview: 2), [AppError.Code.needsReview]),
      (SyncReport(outcome: .unreachable(AppError(.timedOut, "no answer")), inReview: 1), [.timedOut, .needsReview]),
      (SyncReport(outcome: .throttled(until: Sample.now)), [.throttled]),
      (SyncReport(outcome: .unfinished), [.budgetSpent]), (SyncReport(outcome: .signInNeeded), [.signInNeeded]),
    ] as [(SyncReport, [AppError.Code])])
  func outcomes(report: SyncReport, codes: [AppError.Code]) async throws {
    let sync = FakeSyncRepository(expecting: .sync(SyncOptions()))
    sync.end(.success(report))
    #expect(try await answer("sync", commands(sync)).title == "Sync")
    #expect(errors.presented.map(\.code) == codes)
  }

  @Test(
    "monitoring hears of what is old and of what needs a person",
    arguments: [
      (SyncStatus(server: "s", lastComplete: Sample.now), []),
      (SyncStatus(server: "s", inReview: 2, lastComplete: Sample.now), [AppError.Code.needsReview]),
      (SyncStatus(server: "s", lastComplete: Sample.now.adding(seconds: -14_401)), [.budgetSpent]),
      (
        SyncStatus(
          server: "s", unsent: 1, oldestUnsent: Sample.now.adding(seconds: -14_401), lastComplete: Sample.now),
        [.budgetSpent]
      ),
      (SyncStatus(server: "s"), [.budgetSpent]),
      (SyncStatus(server: "s", inReview: 1, lastComplete: Sample.now), []),
    ] as [(SyncStatus, [AppError.Code])])
  func monitoring(status: SyncStatus, codes: [AppError.Code]) async throws {
    let sync = FakeSyncRepository(expecting: .status)
    sync.set(status)
    let page = try await answer("sync status --warn-age 4h --warn-review 1", commands(sync))
    #expect(errors.presented.map(\.code) == codes && page.blocks.count == 1)
    #expect(page.records.last?.fields.contains(Record.Field("well", .bool(codes.isEmpty))) == true)
  }

  @Test("a sync that cannot begin fails the line; its progress is told")
  func failures() async throws {
    let sync = FakeSyncRepository(expecting: .sync(SyncOptions()))
    let running = AppError(.syncRunning, "clinic (7) is syncing")
    sync.end(.failure(running), after: [.pushing(settled: 1, of: 2)])
    var told: [SyncProgress] = []
    let model = SyncViewModel(sync: sync, errors: errors, context: Sample.context()) { told.append($0) }
    await model.start(SyncOptions())
    #expect(model.run == .failed(running) && errors.presented == [running])
    #expect(told == [.pushing(settled: 1, of: 2)])
  }

  @Test("a discard asks first, naming what would be lost; the repository's own question is passed on")
  func discard() async throws {
    let outbox = FakeOutbox(items: [Self.entry], expecting: .item(12), .discard(12, confirmed: true))
    let error = try await failure("outbox discard 12", commands(FakeSyncRepository(), outbox))
    #expect(error?.code == .needsConfirmation && error?.message.contains("change Pérez, Ana") == true)
    let page = try await answer("outbox discard 12 --yes", commands(FakeSyncRepository(), outbox))
    #expect(page.records.map(\.kind) == ["discardedEntry"])
  }

  @Test(
    "a decision that loses an edit asks first; the others do not",
    arguments: [
      ("--keep mine", ReviewDecision.keepMine, false), ("--keep theirs", .keepTheirs, true), ("--retry", .retry, false),
      ("--discard", .discard, true),
      (
        "--field 'telecom[phone,mobile]=mine' --field gender=theirs",
        .fields([.init("telecom[phone,mobile]", .mine), .init("gender", .theirs)]), false
      ),
      ("--field gender=theirs", .fields([.init("gender", .theirs)]), false),
      ("--amend 'extension[urn:a=b].valueCode=c=d'", .amend([.init("extension[urn:a=b].valueCode", "c=d")]), false),
    ])
  func decisions(choice: String, decision: ReviewDecision, asks: Bool) async throws {
    let outbox = FakeOutbox(
      reviews: [Self.conflict], expecting: .reviewItem(3), .decide(3, decision, confirmed: false),
      .decide(3, decision, confirmed: true))
    let lines = commands(FakeSyncRepository(), outbox)
    #expect((try await failure("review 3 \(choice)", lines)?.code == .needsConfirmation) == asks)
    _ = try await answer("review 3 \(choice) --yes", lines)
    #expect(outbox.book.calls.last == .decide(3, decision, confirmed: true))
  }

  @Test(
    "a likely duplicate shows who is known, and each way out as a line; many gone records say what either choice does")
  func otherKinds() async throws {
    let duplicate = ReviewItem(
      number: 5, kind: .likelyDuplicate, key: ResourceKey(type: "Patient", id: "new-1"), entry: 9,
      author: .operatingSystemUser("nora"), subject: "register Peres, Ana", since: Sample.now, explanation: "known",
      issues: [
        ReviewItem.Issue(
          severity: "warning", code: "duplicate", text: "Pérez, Ana, 1980-05-17", elements: ["Patient/p-1"])
      ])
    let gone = ReviewItem(
      number: 6, kind: .massDisappearance, key: ResourceKey(type: "Patient", id: ""), entry: nil,
      author: .operatingSystemUser("nora"), subject: "30 records of the type Patient", since: Sample.now,
      explanation: "gone")
    let outbox = FakeOutbox(reviews: [duplicate, gone], expecting: .reviewItem(5), .reviewItem(6))
    let lines = commands(FakeSyncRepository(), outbox)
    let first = text(try await answer("review show 5", lines))
    for part in [
      "Whom the server knows", "Patient/p-1", "patients merge Patient/new-1 --into Patient/p-1", "review 5 --retry",
    ] {
      #expect(first.contains(part), "\(part)")
    }
    let second = text(try await answer("review show 6", lines))
    #expect(second.contains("review 6 --keep mine") && second.contains("review 6 --keep theirs"))
    let question = try await failure("review 6 --keep theirs", lines)
    #expect(question?.code == .needsConfirmation && question?.message.contains("30 records") == true)
  }

  @Test("a discard by which others fall names them")
  func fallingEntries() async throws {
    let outbox = FakeOutbox(reviews: [Self.refusal], expecting: .reviewItem(4))
    let error = try await failure("review 4 --discard", commands(FakeSyncRepository(), outbox))
    #expect(error?.message.contains("with entry 15 (pulse of Pérez, Ana)") == true)
  }

  @Test(
    "lines that cannot be meant are refused",
    arguments: [
      "review --keep mine", "review 3 --keep mine --retry", "outbox show 0", "review show -1",
      "review 3 --field gender", "review 3 --field gender=ours", "review 3 --amend =x",
    ])
  func refusals(line: String) async throws {
    #expect(try await failure(line, commands())?.code == .invalidInput)
  }

  @Test("why finds a record by a word of any type, and a row's record at once")
  func why() async throws {
    let key = ResourceKey(type: "Appointment", id: "a-1")
    let outbox = FakeOutbox(
      explanations: [RecordExplanation(key: key, serverVersion: "2", entries: [Self.entry])],
      expecting: .explain(ResourceKey(type: "Patient", id: "a-1")), .explain(key),
      .explain(ResourceKey(type: "Patient", id: "x")), .explain(ResourceKey(type: "Appointment", id: "x")),
      .explain(ResourceKey(type: "Encounter", id: "x")), .explain(ResourceKey(type: "Observation", id: "x")),
      .explain(ResourceKey(type: "DocumentReference", id: "x")), .explain(ResourceKey(type: "Condition", id: "x")),
      .explain(ResourceKey(type: "AllergyIntolerance", id: "x")),
      .explain(ResourceKey(type: "MedicationRequest", id: "x")), .explain(ResourceKey(type: "Immunization", id: "x")),
      .explain(ResourceKey(type: "Practitioner", id: "x")), .explain(ResourceKey(type: "Location", id: "x")))
    let lines = commands(FakeSyncRepository(), outbox)
    #expect(try await answer("why a-1", lines).title == "Appointment/a-1")
    #expect(try await answer("why Appointment/a-1", lines).title == "Appointment/a-1")
    #expect(try await failure("why x", lines)?.message == "no record here is called \"x\"")
  }

  @Test("lists and single items open their places")
  func places() async throws {
    let outbox = FakeOutbox(
      items: [Self.entry], reviews: [Self.conflict], expecting: .list, .item(12), .reviewList, .reviewItem(3))
    let sync = FakeSyncRepository(expecting: .status, .plan)
    let lines = commands(sync, outbox)
    for line in ["outbox", "outbox show 12", "review", "review 3", "review show 3", "sync status", "sync --plan"] {
      #expect(try await failure(line, lines) == nil, "\(line)")
    }
    #expect(coordinator.steps == [.outbox, .review, .reviewItem(3), .reviewItem(3), .syncStatus])
  }
}
