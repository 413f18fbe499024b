import Domain
import JSON

/// Collects what could not be understood while one document is read.
final class DecodingWarnings {
  /// The warnings so far: paths and reasons, never values.
  private(set) var texts: [String] = []

  init() {}

  func add(_ path: String, _ reason: String) { texts.append("\(path): \(reason)") }
}

/// Reads the elements of one JSON object by name. What has the wrong form becomes a warning and counts as missing.
struct ElementReader {
  let object: JSONObject
  let path: String
  let warnings: DecodingWarnings

  func path(_ name: String) -> String { "\(path).\(name)" }

  func warn(_ name: String, _ reason: String) { warnings.add(path(name), reason) }

  // MARK: Primitives

  func string(_ name: String) -> String? {
    guard let value = object[name] else { return nil }
    guard let text = value.string else { return mismatch(name, "expected a text") }
    return text.isEmpty ? mismatch(name, "is an empty text") : text
  }

  func bool(_ name: String) -> Bool? {
    guard let value = object[name] else { return nil }
    return value.bool ?? mismatch(name, "expected true or false")
  }

  func integer(_ name: String) -> Int? {
    guard let value = object[name] else { return nil }
    // Another spelling of a whole number could not be written back as it was.
    guard let number = value.number, let int = number.int, String(int) == number.text else {
      return mismatch(name, "expected a whole number")
    }
    return int
  }

  func decimal(_ name: String) -> PreciseDecimal? {
    guard let value = object[name] else { return nil }
    return value.number.flatMap { PreciseDecimal($0.text) } ?? mismatch(name, "expected a number")
  }

  func code<Known>(_ name: String) -> OpenCode<Known>? { string(name).map(OpenCode.init(rawValue:)) }

  func instant(_ name: String) -> Instant? { parsed(name, "is no date and time with seconds and zone", Instant.init) }

  func dateTime(_ name: String) -> DateTime? { parsed(name, "is no FHIR dateTime", DateTime.init) }

  func date(_ name: String) -> PartialDate? { parsed(name, "is no FHIR date", PartialDate.init) }

  /// A date that may be withheld with a reason, which stands in the primitive's extension.
  func recordedDate(_ name: String) -> Recorded<PartialDate> {
    if let date = date(name) { return .value(date) }
    return dataAbsentReason(of: name).map(Recorded.absent) ?? .notRecorded
  }

  /// The texts of a list. `null` only pads a list beside its extensions, so it is passed over.
  func strings(_ name: String) -> [String] {
    array(name).compactMap { index, value in
      guard let text = value.string, !text.isEmpty else { return mismatch("\(name)[\(index)]", "expected a text") }
      return text
    }
  }

  /// Why a primitive has no value, from its `data-absent-reason` extension.
  func dataAbsentReason(of name: String) -> OpenCode<DataAbsentReason>? {
    for item in object["_" + name]?["extension"]?.array ?? []
    where item["url"]?.string == FHIRExtension.dataAbsentReason {
      if let code = item["valueCode"]?.string, !code.isEmpty { return OpenCode(rawValue: code) }
    }
    return nil
  }

  /// Why an element has no content, from its own `data-absent-reason` extension.
  func absentReason() -> OpenCode<DataAbsentReason>? {
    for item in object["extension"]?.array ?? [] where item["url"]?.string == FHIRExtension.dataAbsentReason {
      if let code = item["valueCode"]?.string, !code.isEmpty { return OpenCode(rawValue: code) }
    }
    return nil
  }

  // MARK: Objects

  func element(_ name: String) -> ElementReader? {
    guard let value = object[name] else { return nil }
    guard let inner = value.object else { return mismatch(name, "expected an object") }
    return ElementReader(object: inner, path: path(name), warnings: warnings)
  }

  func elements(_ name: String) -> [ElementReader] {
    array(name).compactMap { index, value in
      guard let inner = value.object else { return mismatch("\(name)[\(index)]", "expected an object") }
      return ElementReader(object: inner, path: path("\(name)[\(index)]"), warnings: warnings)
    }
  }

  /// The name of the member that is present of a choice such as `value[x]`, out of the types that R4 allows.
  func choice(_ name: String, of types: [String]) -> String? {
    let present = types.map { name + $0 }.filter { object[$0] != nil }
    if present.count > 1 { warn("\(name)[x]", "is given more than once; the first counts") }
    return present.first
  }

  // MARK: Parts

  private func array(_ name: String) -> [(Int, JSONValue)] {
    guard let value = object[name] else { return [] }
    guard let items = value.array else {
      warn(name, "expected a list")
      return []
    }
    return items.enumerated().filter { !$0.element.isNull }.map { ($0.offset, $0.element) }
  }

  private func parsed<Value>(_ name: String, _ reason: String, _ parse: (String) -> Value?) -> Value? {
    guard let text = string(name) else { return nil }
    return parse(text) ?? mismatch(name, reason)
  }

  private func mismatch<Value>(_ name: String, _ reason: String) -> Value? {
    warn(name, reason)
    return nil
  }
}
