/// A value that a record gives, withholds with a reason, or does not mention.
public enum Recorded<Value: Hashable & Sendable>: Hashable, Sendable {
  /// The record gives the value.
  case value(Value)
  /// The record says why there is no value; reasons outside FHIR's list are kept.
  case absent(OpenCode<DataAbsentReason>)
  /// The record is silent.
  case notRecorded

  /// The value, when the record gives one.
  public var value: Value? {
    if case .value(let value) = self { value } else { nil }
  }

  /// Wraps an optional: `nil` is not recorded.
  public init(_ value: Value?) {
    self = value.map(Recorded.value) ?? .notRecorded
  }
}
