import JSON

/// Puts the commonest parts of a structured dosage into words: amount, times, and whether only when needed
/// (hl7.org/fhir/R4/dosage.html). What it does not understand it leaves out, and says that there is more.
enum StructuredDosage {
  /// The words; `nil` when there is nothing that is understood.
  static func text(of dosage: JSONObject) -> String? {
    var parts: [String] = []
    var isPartial = false
    for rate in dosage["doseAndRate"]?.array ?? [] {
      if let quantity = rate["doseQuantity"], let value = quantity["value"]?.number?.text {
        parts.append(
          [value, quantity["unit"]?.string ?? quantity["code"]?.string].compactMap(\.self).joined(separator: " "))
      } else if rate["doseRange"] != nil || rate["rateQuantity"] != nil || rate["rateRatio"] != nil {
        isPartial = true
      }
    }
    if let timing = dosage["timing"] {
      if let words = frequency(timing["repeat"]) ?? timing["code"]?["text"]?.string {
        parts.append(words)
      } else {
        isPartial = true
      }
    }
    if dosage["asNeededBoolean"]?.bool == true || dosage["asNeededCodeableConcept"] != nil { parts.append("as needed") }
    if let route = dosage["route"]?["text"]?.string { parts.append(route) }
    guard !parts.isEmpty else { return isPartial ? "recorded in a form that is not shown here" : nil }
    return parts.joined(separator: ", ") + (isPartial ? " (and more that is not shown here)" : "")
  }

  private static func frequency(_ times: JSONValue?) -> String? {
    guard let times, let count = times["frequency"]?.int, let period = times["period"]?.number?.text,
      let unit = times["periodUnit"]?.string
    else { return nil }
    let units = ["s": "second", "min": "minute", "h": "hour", "d": "day", "wk": "week", "mo": "month", "a": "year"]
    guard let name = units[unit] else { return nil }
    return "\(count) time\(count == 1 ? "" : "s") every \(period == "1" ? name : "\(period) \(name)s")"
  }
}
