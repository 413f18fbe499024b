import Data
import Domain
import Foundation

/// Pulls and answers at the size of a large clinic, beside the same at the size of a small one.
struct ReadScale {
  let folder: String

  init(folder: String) { self.folder = folder }

  // MARK: Memory

  /// Pulls ten thousand small records, then a million, and compares the peaks of the process's memory.
  func memory() async throws {
    var peaks: [Double] = []
    print("\nPulling small records, from a server that costs next to nothing:")
    Table.begin("records", "seconds", "a second", "peak memory, MB")
    for count in [10_000, 1_000_000] {
      let clinic = try await open(["Location": count])
      try Self.resetPeak()
      let time = try await ContinuousClock().measure {
        _ = try await clinic.sync.sync(SyncOptions(), progress: { _ in })
      }
      peaks.append(try Self.peakMegabytes())
      await close(clinic)
      let seconds = time / .seconds(1)
      Table.row(
        String(count), Table.number(seconds), Table.number(Double(count) / seconds), Table.number(peaks.last ?? 0))
    }
    print("\nPeak of the large pull over the small one: \(Table.ratio(peaks[1] / peaks[0]))")
  }

  private static func resetPeak() throws {
    // proc(5): 5 resets the peak resident set size.
    try "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
  }

  private static func peakMegabytes() throws -> Double {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return (line.flatMap { Double($0.filter(\.isNumber)) } ?? 0) / 1_024
  }

  // MARK: Answers

  /// A name that a third of all patients have, with and without another word, and a day's schedule.
  func answers() async throws {
    var medians: [[Double]] = []
    print("\nAnswers from the store, median of 101, in milliseconds:")
    Table.begin(
      "patients", "appointments", "a name that a third have", "that and a given name",
      "a day of \(Synthetic.perDay) appointments")
    for size in [1_000, 100_000] {
      let clinic = try await open(["Patient": size, "Appointment": size * 10])
      _ = try await clinic.sync.sync(SyncOptions(), progress: { _ in })
      let name = try await median { try await Self.found(clinic, "ferrow") == 50 }
      let both = try await median { try await Self.found(clinic, "given7 ferrow") > 0 }
      let span = Synthetic.day(number: size * 10 / Synthetic.perDay / 2)
      let day = try await median {
        let answer = await clinic.appointments.appointments(
          matching: AppointmentQuery(span: span), policy: .localOnly
        ).first()
        return answer?.value?.count == Synthetic.perDay
      }
      await close(clinic)
      medians.append([name, both, day])
      let figures = [name, both, day].map(Table.ratio)
      Table.row(String(size), String(size * 10), figures[0], figures[1], figures[2])
    }
    let ratios = zip(medians[0], medians[1]).map { Table.ratio($1 / $0) }
    print("\nThe large store over the small one: \(ratios.joined(separator: ", "))")
  }

  private static func found(_ clinic: ClinicData, _ text: String) async throws -> Int {
    await clinic.patients.patients(matching: PatientQuery(text: text), policy: .localOnly).first()?.value?.count ?? 0
  }

  private func median(_ body: () async throws -> Bool) async throws -> Double {
    var times: [Double] = []
    for _ in 0..<101 {
      let time = try await ContinuousClock().measure {
        guard try await body() else { throw AppError(.internalFault, "a benchmark got a wrong answer") }
      }
      times.append(time / .milliseconds(1))
    }
    return times.median
  }

  private func open(_ counts: [String: Int]) async throws -> ClinicData {
    try await ClinicData.open(
      ClinicData.Configuration(
        directory: "\(folder)/reads", server: Synthetic.base, author: .operatingSystemUser("bench")),
      effects: .live, transport: Synthetic(counts: counts))
  }

  private func close(_ clinic: ClinicData) async {
    await clinic.close()
    try? FileManager.default.removeItem(atPath: "\(folder)/reads")
  }
}

/// A server of made-up records, which costs next to nothing: pages are made when they are asked for.
private struct Synthetic: HTTPTransport {
  static let base = "http://127.0.0.1/fhir"
  /// Appointments of one day.
  static let perDay = 50
  /// Records of a page.
  private static let perPage = 200
  /// 2020-01-01T00:00:00Z.
  private static let start: Int64 = 1_577_836_800

  let counts: [String: Int]

  static func day(number: Int) -> Range<Instant> {
    let begin = Instant(secondsSince1970: start + Int64(number) * 86_400)
    return begin..<begin.adding(seconds: 86_400)
  }

  func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    let target = request.url.dropFirst(Self.base.count + 1)
    var headers = HTTPHeaders()
    headers.append("Content-Type", "application/fhir+json")
    let type = String(target.prefix { $0 != "?" })
    guard type != "metadata" else { return HTTPResponse(status: 404, headers: headers, body: [], effectiveURL: "") }
    let offset = target.split(separator: "offset=").dropFirst().first.flatMap { Int($0) } ?? 0
    // Only the first pull finds anything.
    let count = target.contains("_lastUpdated=") ? 0 : counts[type] ?? 0
    let end = min(count, offset + Self.perPage)
    var body = #"{"resourceType":"Bundle","type":"searchset","total":\#(count)"#
    if end < count {
      body += #","link":[{"relation":"next","url":"\#(Self.base)/\#(type)?offset=\#(end)"}]"#
    }
    if offset < end {
      body += #","entry":["#
      for number in offset..<end {
        if number > offset { body += "," }
        body += #"{"resource":\#(Self.record(type, number)),"search":{"mode":"match"}}"#
      }
      body += "]"
    }
    return HTTPResponse(status: 200, headers: headers, body: Array((body + "}").utf8), effectiveURL: request.url)
  }

  private static func record(_ type: String, _ number: Int) -> String {
    let head =
      #"{"resourceType":"\#(type)","id":"\#(type.first?.lowercased() ?? "x")-\#(number)","#
      + #""meta":{"versionId":"1","lastUpdated":"2026-11-30T09:00:00Z"}"#
    switch type {
    case "Patient":
      let family = ["Ferrow", "Quist", "Okafor"][number % 3]
      return head
        + #","name":[{"family":"\#(family)","given":["Given\#(number % 997)"]}],"birthDate":"19\#(10 + number % 90)-05-17","#
        + #""identifier":[{"system":"urn:mrn","value":"MRN-\#(number)"}]}"#
    case "Appointment":
      let begin = Instant(
        secondsSince1970: start + Int64(number / perDay) * 86_400 + 28_800 + Int64(number % perDay) * 600)
      return head
        + #","status":"booked","start":"\#(begin.utcText)","end":"\#(begin.adding(seconds: 600).utcText)","#
        + #""participant":[{"actor":{"reference":"Patient/p-\#(number / 10)"},"status":"accepted"}]}"#
    default: return head + #","name":"Room \#(number)"}"#
    }
  }
}
