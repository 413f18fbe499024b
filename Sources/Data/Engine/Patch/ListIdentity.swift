package import JSON

/// By what the items of each list are identified. One table for all resource types.
///
/// A list that is not named here, or in which an identity occurs twice, is treated as one element.
package enum ListIdentity {
  /// The identifying elements by list name. The names are those of FHIR's data types, which mean the same everywhere.
  package static let elements: [String: [String]] = [
    "identifier": ["system", "value"],
    "name": ["use"],
    "telecom": ["system", "use"],
    "address": ["use", "type"],
    "extension": ["url"],
    "modifierExtension": ["url"],
    "coding": ["system", "code"],
    "participant": ["actor.reference"],
    "component": ["code.coding", "code.text"],
    "note": ["time", "text", "authorString", "authorReference.reference"],
    "link": ["other.reference", "type"],
    "relatesTo": ["code", "target.reference"],
    "contained": ["id"],
    "tag": ["system", "code"],
    "security": ["system", "code"],
  ]

  /// The identities of a list's items in order, or `nil` when the list has none or they are not unique.
  package static func identities(of list: [JSONValue], named name: String) -> [ItemIdentity]? {
    guard let elements = elements[name] else { return nil }
    let found = list.map { ItemIdentity(of: $0, by: elements) }
    return Set(found).count == found.count ? found : nil
  }
}
