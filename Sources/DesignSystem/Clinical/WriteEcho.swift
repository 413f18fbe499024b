public import Domain

/// What every write answers: whom it is about, what was done, and that the server does not have it yet.
public struct WriteEcho: Hashable, Sendable {
  /// What was done, as a sentence without a full stop: `Appointment booked`.
  public var action: String
  /// The patient, when the record names one who is known here.
  public var patient: PatientIdentity?
  /// The record that was written; of several the first.
  public var key: ResourceKey
  /// All records that were written.
  public var keys: [ResourceKey]
  /// The outbox entries that carry the write; empty when nothing changed.
  public var entries: [OutboxNumber]
  /// What was written, as labels and values.
  public var details: [Detail]
  /// What should be known beside it.
  public var warnings: [String]

  /// A labelled value of what was written.
  public struct Detail: Hashable, Sendable {
    /// What the value is.
    public var label: String
    /// The value as shown.
    public var value: String

    /// Creates a detail.
    public init(_ label: String, _ value: String) {
      self.label = label
      self.value = value
    }
  }

  /// Creates an echo of one write or of several of one action.
  ///
  /// - Parameter fallback: The record that is meant when there are no receipts.
  public init(
    _ action: String, patient: PatientIdentity?, receipts: [WriteReceipt], fallback: ResourceKey,
    details: [Detail] = [], warnings: [String] = []
  ) {
    self.action = action
    self.patient = patient
    key = receipts.first?.key ?? fallback
    keys = receipts.isEmpty ? [fallback] : receipts.map(\.key)
    entries = receipts.flatMap(\.entries)
    self.details = details
    self.warnings = warnings
  }

  /// The page of the echo; `record` adds fields for programs.
  public func page(record fields: [Record.Field] = []) -> Page {
    var shown: [Field] = []
    if let patient {
      shown.append(Field("patient", patient.displayName))
      shown.append(Field("birth date", patient.birth))
      shown.append(Field("identifier", patient.identifier ?? "none recorded"))
    }
    shown += details.map { Field($0.label, $0.value) }
    shown += keys.map { Field("record", $0.description) }
    let notice =
      entries.isEmpty
      ? Notice(.info, "\(action): nothing had to be changed")
      : Notice(.success, "\(action): saved here, not sent yet (\(Self.text(entries)))", next: "sync")
    let record = Record(
      kind: "written",
      fields: [
        Record.Field("action", .string(action)), Record.Field("type", .string(key.type)),
        Record.Field("id", .string(key.id)), Record.Field("patient", patient?.record ?? .null),
        Record.Field("outboxEntries", .array(entries.map { .integer(Int($0)) })),
        Record.Field("sent", .bool(false)),
      ] + fields)
    return Page(blocks: [.notice(notice), .fields(shown)], records: [record], warnings: warnings)
  }

  private static func text(_ entries: [OutboxNumber]) -> String {
    (entries.count == 1 ? "outbox entry " : "outbox entries ") + entries.map(String.init).joined(separator: ", ")
  }
}
