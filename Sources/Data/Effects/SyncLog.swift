import Domain
import Foundation
import JSON

/// A log of syncs for machines: a JSON object a line, without any patient's data.
///
/// Every line opens the file anew, so that a log that was rotated away is not written on.
struct SyncLog: Sendable {
  let path: String
  let clock: WallClock

  /// Makes sure that the log can be written.
  ///
  /// - Throws: `fileUnreadable`.
  init(path: String, clock: WallClock) throws(AppError) {
    self.path = path
    self.clock = clock
    guard append([]) else {
      throw AppError(
        .fileUnreadable, "the log \(path) cannot be written: \(String(cString: strerror(errno)))", field: "log")
    }
  }

  /// A sync begins.
  func began(_ process: String) {
    write("sync-begun", ["process": .string(process)])
  }

  /// A pass ended.
  func ended(_ report: SyncReport, seconds: Double) {
    let types = report.types.map { type -> JSONValue in
      [
        "type": .string(type.type), "sent": JSONValue(integerLiteral: type.sent),
        "pulled": JSONValue(integerLiteral: type.pulled), "deleted": JSONValue(integerLiteral: type.deleted),
        "failed": JSONValue(integerLiteral: type.failed),
      ]
    }
    var members: JSONObject = [
      "outcome": .string(report.outcome.word), "seconds": Self.number(seconds),
      "unsent": JSONValue(integerLiteral: report.unsent), "ambiguous": JSONValue(integerLiteral: report.ambiguous),
      "inReview": JSONValue(integerLiteral: report.inReview), "types": .array(types),
    ]
    if let oldest = report.oldestUnsent { members["oldestUnsent"] = .string(oldest.utcText) }
    // The server's own words may name a patient: the code says what kind of trouble it was.
    if let error = report.error { members["error"] = .string(error.code.rawValue) }
    write("sync-ended", members)
  }

  /// A sync could not begin, or the store failed.
  func failed(_ error: AppError) {
    write("sync-failed", ["error": .string(error.code.rawValue)])
  }

  private static func number(_ seconds: Double) -> JSONValue {
    JSONNumber(String((seconds * 1_000).rounded() / 1_000)).map(JSONValue.number) ?? .null
  }

  private func write(_ event: String, _ members: JSONObject) {
    let head: [JSONObject.Member] = [
      JSONObject.Member(key: "at", value: .string(clock.now().utcText)),
      JSONObject.Member(key: "event", value: .string(event)),
    ]
    // A log that cannot be written any more must not keep a sync from its work.
    _ = append(JSONValue.object(JSONObject(head + members.members)).bytes() + [UInt8(ascii: "\n")])
  }

  /// Appends bytes in one write, so that the lines of several processes do not mix.
  private func append(_ bytes: [UInt8]) -> Bool {
    let descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return bytes.isEmpty || Foundation.write(descriptor, bytes, bytes.count) == bytes.count
  }
}

extension SyncReport.Outcome {
  /// The outcome as one word.
  fileprivate var word: String {
    switch self {
    case .complete: "complete"
    case .needsReview: "needsReview"
    case .unreachable: "unreachable"
    case .throttled: "throttled"
    case .unfinished: "unfinished"
    case .signInNeeded: "signInNeeded"
    }
  }
}
