import Foundation
import Testing

@testable import Data

@Suite("Header fields")
struct HeaderTests {
  /// Sun, 06 Nov 1994 08:49:37 GMT
  static let day = Date(timeIntervalSince1970: 784_111_777)
  /// Mon, 30 Nov 2026 08:00:00 GMT
  static let now = Date(timeIntervalSince1970: 1_796_025_600)

  @Test("Fields are found without regard to case, and keep their order")
  func fields() {
    var headers: HTTPHeaders = ["A": "1", "b": "2", "a": "3"]
    #expect(headers["a"] == "1" && headers.values("A") == ["1", "3"] && headers["c"] == nil)
    headers["a"] = "4"
    headers.append("C", "5")
    #expect(headers == ["a": "4", "B": "2", "c": "5"])
    headers["B"] = nil
    #expect(headers.fields.map(\.name) == ["a", "C"])
    #expect(Set([headers, ["A": "4", "c": "5"]]).count == 1)
  }

  @Test(
    "All three forms of a date are read",
    arguments: [
      ("Sun, 06 Nov 1994 08:49:37 GMT", day), ("Sunday, 06-Nov-94 08:49:37 GMT", day),
      ("Sun Nov  6 08:49:37 1994", day),
      ("Sun Nov 16 08:49:37 1994", day.addingTimeInterval(864_000)), ("Mon, 30 Nov 2026 08:00:00 GMT", now),
      ("Thu, 01 Jan 1970 00:00:00 GMT", Date(timeIntervalSince1970: 0)),
      ("Thu, 29 Feb 2024 23:59:60 GMT", Date(timeIntervalSince1970: 1_709_251_200)),
      ("Wed, 31 Dec 1969 23:59:59 GMT", Date(timeIntervalSince1970: -1)),
      ("Monday, 30-Nov-26 08:00:00 GMT", now),
      ("Monday, 30-Nov-76 08:00:00 GMT", Date(timeIntervalSince1970: 3_373_948_800)),
      ("Monday, 30-Nov-77 08:00:00 GMT", Date(timeIntervalSince1970: 249_724_800)),
      ("Thu, 29 Feb 2023 00:00:00 GMT", nil), ("Sun, 06 Nov 1994 24:00:00 GMT", nil),
      ("Sun, 00 Nov 1994 08:49:37 GMT", nil),
      ("Sun, 06 Foo 1994 08:49:37 GMT", nil), ("Sun, 06 Nov 1994 08:49:37 CET", nil),
      ("Sun, 06 Nov 1994 08:49 GMT", nil),
      ("Sun, 6 Nov 94", nil), ("2026-11-30T08:00:00Z", nil), ("", nil), ("120", nil),
    ] as [(String, Date?)])
  func dates(_ text: String, _ expected: Date?) {
    #expect(HTTPDate.parse(text, now: Self.now) == expected)
  }

  @Test(
    "The wait that a server asks for",
    arguments: [
      (["Retry-After": "120"], .seconds(120)), (["retry-after": " 0 "], .zero), (["Retry-After": "-5"], .zero),
      (["Retry-After": "99999999999999999999"], .seconds(Int32.max)),
      // By the answer's own clock, which is a year behind ours.
      (["Retry-After": "Sun, 30 Nov 2025 08:01:30 GMT", "Date": "Sun, 30 Nov 2025 08:00:00 GMT"], .seconds(90)),
      (["Retry-After": "Mon, 30 Nov 2026 08:00:10 GMT"], .seconds(10)),
      (["Retry-After": "Mon, 30 Nov 2026 08:00:10 GMT", "Date": "yesterday"], .seconds(10)),
      (["Retry-After": "Monday, 30-Nov-26 08:00:10 GMT"], .seconds(10)),
      (["Retry-After": "Mon Nov 30 08:00:10 2026"], .seconds(10)),
      (["Retry-After": "Mon, 30 Nov 2026 07:59:00 GMT"], .zero),
      ([:], nil), (["Retry-After": "soon"], nil), (["Retry-After": "1.5"], nil), (["Retry-After": ""], nil),
      (["Retry-After": "-"], nil),
    ] as [(HTTPHeaders, Duration?)])
  func retryAfter(_ headers: HTTPHeaders, _ expected: Duration?) {
    #expect(RetryAfter.delay(headers: headers, now: Self.now) == expected)
  }

  @Test(
    "A tag keeps its spelling and tells its version",
    arguments: [
      ("W/\"7\"", "W/\"7\"", "7", true), ("\"7\"", "\"7\"", "7", false), ("w/\"a b\"", "w/\"a b\"", "a b", true),
      (" W/\"7\" ", "W/\"7\"", "7", true), ("7", "7", "7", false), ("W/7", "W/7", "7", true), ("\"", "\"", "\"", false),
      ("\"\"", "\"\"", "", false),
    ])
  func etag(_ written: String, _ text: String, _ opaque: String, _ isWeak: Bool) throws {
    let tag = try #require(ETag(written))
    #expect(tag.text == text && tag.opaque == opaque && tag.isWeak == isWeak)
  }

  @Test("The tag of a version, and no tag")
  func versionTag() {
    #expect(ETag(versionId: "7").text == "W/\"7\"" && ETag(versionId: "7") == ETag("W/\"7\""))
    #expect(ETag("  ") == nil)
  }

  @Test("Times are rounded up to whole milliseconds and never to none")
  func milliseconds() {
    let durations: [Duration] = [.nanoseconds(1), .milliseconds(1500), .microseconds(1001), .seconds(1 << 40)]
    #expect(durations.map(\.wholeMilliseconds) == [1, 1500, 2, Int(Int32.max)])
  }
}
