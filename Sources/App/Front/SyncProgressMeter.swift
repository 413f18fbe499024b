import DesignSystem
import Domain

/// Turns what a sync tells into counts and rates, and says when to show them.
nonisolated struct SyncProgressMeter: Hashable, Sendable {
  /// How far one kind of work has come.
  struct Reading: Hashable, Sendable {
    /// `sending`, or `receiving` with the type.
    var label: String
    var done: Int
    /// How many there are; `nil` when nobody says.
    var total: Int?
    /// Whether the total is only the server's claim.
    var isEstimate: Bool
    /// Pieces a second since this kind of work began; `nil` before it can be told.
    var rate: Int?
    /// The type of record, when receiving.
    var type: String?
  }

  private var label = ""
  private var began: Int64 = 0
  private var first = 0
  private var shown: Int64?

  /// Takes a step.
  ///
  /// - Parameters:
  ///   - milliseconds: The present, since 1970.
  ///   - pause: How long after the last reading the next one is given, and the first after the beginning.
  /// - Returns: `nil` when it is too early to show anything again.
  mutating func take(_ progress: SyncProgress, at milliseconds: Int64, every pause: Int64) -> Reading? {
    var reading = Reading(progress)
    if reading.label != label || reading.done < first || milliseconds < began {
      label = reading.label
      began = milliseconds
      first = reading.done
    }
    let last = shown ?? milliseconds
    if shown == nil || milliseconds < last { shown = milliseconds }
    guard pause == 0 || milliseconds - last >= pause else { return nil }
    shown = milliseconds
    let elapsed = milliseconds - began
    if elapsed >= 1_000 { reading.rate = Int(Int64(reading.done - first) * 1_000 / elapsed) }
    return reading
  }
}

extension SyncProgressMeter.Reading {
  nonisolated init(_ progress: SyncProgress) {
    switch progress {
    case .pushing(let settled, let total):
      self.init(label: "sending", done: settled, total: total, isEstimate: false, rate: nil, type: nil)
    case .pulling(let type, let received, let total):
      self.init(
        label: "receiving \(type)", done: received, total: total.map { max($0, received) }, isEstimate: total != nil,
        rate: nil, type: type)
    }
  }

  /// In words: `receiving Patient: 400 of about 1200, 380 a second`.
  nonisolated var text: String {
    var text = "\(label): \(done)"
    if let total { text += isEstimate ? " of about \(total)" : " of \(total)" }
    if let rate { text += ", \(rate) a second" }
    return text
  }

  /// With a bar in front, where a total is known.
  nonisolated func bar(cells: Int) -> String {
    guard let total, total > 0 else { return text }
    let filled = min(cells, cells * done / total)
    return "[" + String(repeating: "#", count: filled) + String(repeating: "-", count: cells - filled) + "] " + text
  }

  /// For programs.
  nonisolated var record: Record {
    Record(
      "progress",
      [
        "phase": .string(type == nil ? "sending" : "receiving"), "type": .optional(type), "done": .integer(done),
        "total": total.map { .integer($0) } ?? .null, "isEstimate": .bool(isEstimate),
        "perSecond": rate.map { .integer($0) } ?? .null,
      ])
  }
}
