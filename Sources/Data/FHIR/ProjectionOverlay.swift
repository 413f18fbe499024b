import JSON

/// Carries an edit made on a projection over to the whole document, which holds more than the projection shows.
///
/// What the edit did not touch stays exactly as it is: extensions, unknown elements, list items that were not understood.
enum ProjectionOverlay {
  /// The document after the edit from one projection of it to another.
  static func apply(from old: JSONValue, to new: JSONValue, onto document: JSONValue) -> JSONValue {
    value(old, new, document, name: "") ?? document
  }

  private static func value(_ old: JSONValue?, _ new: JSONValue?, _ source: JSONValue?, name: String) -> JSONValue? {
    if old == new { return source }
    guard let new else { return name.hasPrefix("_") ? withoutKnown(old, source) : nil }
    if case .object(let newObject) = new, case .object(let sourceObject)? = source {
      return .object(object(old?.object ?? JSONObject(), newObject, sourceObject))
    }
    if case .array(let newItems) = new, case .array(let sourceItems)? = source {
      return .array(list(old?.array ?? [], newItems, sourceItems, name: name))
    }
    return new
  }

  private static func object(_ old: JSONObject, _ new: JSONObject, _ source: JSONObject) -> JSONObject {
    var result = source
    let added = new.members.filter { old[$0.key] == nil }.map(\.key)
    for key in old.members.map(\.key) + added where old[key] != new[key] {
      if old[key] == nil { makeRoom(for: key, keeping: new, in: &result) }
      let value = value(old[key], new[key], source[key], name: key)
      result[key] = value
      if let companion = result["_" + key]?.array, companion.count != value?.array?.count { result["_" + key] = nil }
    }
    return result
  }

  /// The elements that come in one of several forms.
  private static let choices = [
    "value", "effective", "deceased", "onset", "abatement", "medication", "occurrence",
  ]

  /// A new value displaces the other forms of its choice, and the statement that there is no value.
  private static func makeRoom(for key: String, keeping new: JSONObject, in object: inout JSONObject) {
    if let choice = choices.first(where: { isForm(key, of: $0) }) {
      for other in object.members.map(\.key) where isForm(other.drop { $0 == "_" }, of: choice) && new[other] == nil {
        object[other] = nil
      }
    }
    if new["_" + key] == nil, let companion = object["_" + key] { object["_" + key] = withoutAbsence(companion) }
  }

  private static func isForm(_ key: some StringProtocol, of choice: String) -> Bool {
    key.hasPrefix(choice) && key.dropFirst(choice.count).first?.isUppercase == true
  }

  private static func withoutAbsence(_ companion: JSONValue) -> JSONValue? {
    guard let extensions = companion["extension"]?.array else { return companion }
    let rest = extensions.filter { $0["url"]?.string != FHIRExtension.dataAbsentReason }
    var object = companion.object ?? JSONObject()
    object["extension"] = rest.isEmpty ? Optional.none : .array(rest)
    return object.isEmpty ? Optional.none : .object(object)
  }

  /// Takes what a projection knew of a primitive's companion out of it.
  private static func withoutKnown(_ old: JSONValue?, _ source: JSONValue?) -> JSONValue? {
    guard old != nil, let source else { return nil }
    return withoutAbsence(source)
  }

  // MARK: Lists

  private static func list(
    _ old: [JSONValue], _ new: [JSONValue], _ source: [JSONValue], name: String
  ) -> [JSONValue] {
    guard let places = places(of: old, in: source) else { return new }
    let partners = partners(of: new, in: old, name: name)
    var result: [(place: Int?, value: JSONValue)] = []
    for (item, partner) in zip(new, partners) {
      let place = partner.map { places[$0] }
      let merged = value(partner.map { old[$0] }, item, place.map { source[$0] }, name: "") ?? item
      result.append((place, merged))
    }
    // Items that the projection does not show stay behind their neighbour.
    let shown = Set(places)
    for (place, item) in source.enumerated() where !shown.contains(place) {
      let neighbour = result.lastIndex { $0.place.map { $0 < place } ?? false }
      result.insert((place, item), at: neighbour.map { $0 + 1 } ?? 0)
    }
    return result.map(\.value)
  }

  /// Where each item of a projected list stands in the document's list; `nil` when that cannot be told.
  private static func places(of old: [JSONValue], in source: [JSONValue]) -> [Int]? {
    if old.count == source.count { return Array(source.indices) }
    var places: [Int] = []
    var next = 0
    for item in old {
      guard let place = source.indices.dropFirst(next).first(where: { contains(source[$0], item) }) else { return nil }
      places.append(place)
      next = place + 1
    }
    return places
  }

  /// Whether a document's value shows everything that a projected value shows.
  private static func contains(_ source: JSONValue, _ projected: JSONValue) -> Bool {
    switch (source, projected) {
    case (.object(let source), .object(let projected)):
      return projected.allSatisfy { member in source[member.key].map { contains($0, member.value) } ?? false }
    case (.array(let source), .array(let projected)):
      return places(of: projected, in: source).map { zip($0, projected).allSatisfy { contains(source[$0], $1) } }
        ?? false
    default: return source == projected
    }
  }

  /// Which old item each new one comes from: an equal one, else one of the same identity, else the one in its place.
  private static func partners(of new: [JSONValue], in old: [JSONValue], name: String) -> [Int?] {
    var partners = [Int?](repeating: nil, count: new.count)
    var free = Array(old.indices)
    func pair(_ isPartner: (Int, Int) -> Bool) {
      for index in new.indices where partners[index] == nil {
        guard let position = free.firstIndex(where: { isPartner(index, $0) }) else { continue }
        partners[index] = free.remove(at: position)
      }
    }
    pair { new[$0] == old[$1] }
    if let elements = ListIdentity.elements[name] {
      pair { ItemIdentity(of: new[$0], by: elements) == ItemIdentity(of: old[$1], by: elements) }
    }
    if new.count == old.count { pair { $0 == $1 } }
    return partners
  }
}
