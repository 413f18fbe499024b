import DesignSystem
import Domain
import Testing

@Suite("Errors and freshness in words")
struct PresentationTests {
  @Test("an error: the problem without a full stop, then what to do")
  func errors() {
    let error = AppError(.notFound, "no patient \"x\u{1B}\".", hint: "patients search x")
    #expect(ErrorText.lines(for: error) == ["Error: no patient \"x␛\"", "  Next: patients search x"])
    #expect(
      ErrorText.lines(for: AppError(.offline, "no answer"), at: "day.clinic:12") == [
        "Error in day.clinic:12: no answer"
      ])
    #expect(
      TextRenderer(styled: true).render(AppError(.offline, "no answer")) == "\u{1B}[1;31mError\u{1B}[0m: no answer\n")
  }

  @Test("a line that was not understood is shown with the place marked")
  func usage() throws {
    let line = "schedule 山 --jsno"
    let error = UsageError("unknown option \"--jsno\"", hint: "did you mean \"--json\"?", column: 12)
    #expect(
      TextRenderer().render(error, in: line) == """
        Error: unknown option "--jsno"
          schedule 山 --jsno
                      ^
          Next: did you mean "--json"?

        """)
  }

  static let failed = Revalidation.failed(AppError(.offline, "the server could not be reached"))

  @Test(
    "freshness",
    arguments: [
      (.missing, .running, 0, 0, "not fetched yet, refreshing"),
      (.fresh(asOf: instant("2026-03-04T08:12:30Z")), .idle, 0, 0, "as of 09:12"),
      (.stale(asOf: instant("2026-03-04T08:12:30Z")), .running, 2, 0, "as of 09:12, stale, refreshing, 2 unsent edits"),
      (
        .expired(asOf: instant("2026-03-03T23:30:00Z")), failed, 3, 2,
        "as of 00:30, out of date, not refreshed: the server could not be reached, 1 unsent edit, 2 edits need a decision"
      ),
      (
        .stale(asOf: instant("2026-02-27T08:00:00Z")), .idle, 1, 1,
        "as of 2026-02-27 09:00, stale, 1 edit needs a decision"
      ),
    ] as [(Freshness, Revalidation, Int, Int, String)])
  func freshness(freshness: Freshness, revalidation: Revalidation, pending: Int, review: Int, text: String) throws {
    let snapshot = Snapshot(
      value: 1, freshness: freshness, revalidation: revalidation, pendingWrites: pending, writesInReview: review)
    let zone = try #require(ClinicZone("Europe/Paris"))
    #expect(FreshnessLine(snapshot).text(zone: zone, now: Self.instant("2026-03-04T09:00:00Z")) == text)
  }

  @Test("freshness for programs")
  func record() {
    let snapshot = Snapshot(
      value: 1, freshness: .stale(asOf: Self.instant("2026-03-04T08:12:30Z")), revalidation: Self.failed,
      pendingWrites: 1,
      mayBeIncomplete: true)
    #expect(
      JSONRenderer().render(FreshnessLine(snapshot).record)
        == #"{"asOf":"2026-03-04T08:12:30Z","failure":"offline","format":1,"freshness":"stale","kind":"freshness","mayBeIncomplete":true,"pendingWrites":1,"revalidation":"failed","writesInReview":0}"#
        + "\n")
  }

  static func instant(_ text: String) -> Instant {
    Instant(text) ?? Instant(secondsSince1970: 0)
  }
}
