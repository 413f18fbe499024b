package import JSON

/// The stored form of a patch. Old stores hold it: it may grow, and never change.
extension Patch {
  package var json: JSONValue {
    switch self {
    case .create(let document): ["create": document]
    case .update(let edits): ["update": .array(edits.map(\.json))]
    case .delete: ["delete": true]
    }
  }

  /// Reads the stored form; `nil` when it is not one.
  package init?(json: JSONValue) {
    if let document = json["create"] {
      self = .create(document)
    } else if let list = json["update"]?.array {
      var edits: [ElementEdit] = []
      for item in list {
        guard let edit = ElementEdit(json: item) else { return nil }
        edits.append(edit)
      }
      self = .update(edits)
    } else if json["delete"] != nil {
      self = .delete
    } else {
      return nil
    }
  }
}

extension ElementEdit {
  fileprivate var json: JSONValue {
    var object: JSONObject = ["path": path.json]
    if let old { object["old"] = old }
    if let new { object["new"] = new }
    if isContext { object["context"] = true }
    return .object(object)
  }

  fileprivate init?(json: JSONValue) {
    guard let stored = json["path"], let path = ElementPath(json: stored) else { return nil }
    self.init(path: path, old: json["old"], new: json["new"])
    isContext = json["context"] != nil
  }
}
