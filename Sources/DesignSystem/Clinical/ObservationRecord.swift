public import Domain

/// Observations for programs.
public enum ObservationRecord {
  /// One observation.
  public static func record(_ entry: ObservationEntry) -> Record {
    Record(
      "observation",
      [
        "id": .string(entry.id.rawValue), "title": .string(entry.title), "code": .optional(entry.code),
        "status": .string(entry.status), "effective": .optional(entry.effective),
        "patient": entry.patient?.record ?? .null, "result": .string(entry.result),
        "parts": .array(entry.parts.map(part)), "interpretation": .optional(entry.interpretation),
        "performers": .strings(entry.performers), "notes": .array(entry.notes.map(note)),
        "visit": .optional(entry.visit?.rawValue),
        "pending": .bool(entry.isPending), "enteredInError": .bool(entry.isWithdrawn),
      ])
  }

  /// An amount, in its recorded spelling.
  public static func quantity(_ quantity: Quantity) -> RecordValue {
    [
      "value": quantity.value.map { .decimal($0.text) } ?? .null, "unit": .optional(quantity.unit),
      "code": .optional(quantity.code), "comparator": .optional(quantity.comparator?.rawValue),
    ]
  }

  private static func part(_ part: ObservationEntry.Part) -> RecordValue {
    [
      "title": .string(part.title), "code": .optional(part.code), "text": .string(part.text),
      "quantity": part.quantity.map(quantity) ?? .null,
    ]
  }

  private static func note(_ note: ObservationEntry.Note) -> RecordValue {
    ["text": .string(note.text), "author": .optional(note.author), "time": .optional(note.recordedTime)]
  }
}
