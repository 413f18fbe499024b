package import JSON

/// The elements of a record that simulated people write to. Every value that is written is written once in a world, so
/// that a value tells where it came from.
package enum SimSlot: String, CaseIterable, Sendable, Hashable {
  case phone, city, family, comment, start, value, note

  /// The values in a document; what is absent is left out.
  package static func values(in document: JSONValue) -> [SimSlot: String] {
    var values: [SimSlot: String] = [:]
    switch document["resourceType"]?.string {
    case "Patient":
      values[.phone] =
        (document["telecom"]?.array ?? []).first {
          $0["system"]?.string == "phone" && $0["use"]?.string == "home"
        }?["value"]?.string
      values[.city] = document["address"]?[0]?["city"]?.string
      values[.family] = document["name"]?[0]?["family"]?.string
    case "Appointment":
      values[.comment] = document["comment"]?.string
      values[.start] = document["start"]?.string
    case "Observation":
      values[.value] = document["valueQuantity"]?["value"]?.number?.text
      values[.note] = document["note"]?[0]?["text"]?.string
    default: break
    }
    return values
  }

  package static func slots(of type: String) -> [SimSlot] {
    switch type {
    case "Patient": [.phone, .city, .family]
    case "Appointment": [.comment, .start]
    // Notes are a list: of two that write at once, both stand.
    case "Observation": [.value]
    default: []
    }
  }
}
