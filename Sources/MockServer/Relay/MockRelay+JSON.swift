internal import JSON

extension MockRelay.Rule {
  /// A rule from its JSON form, as the rules file and `POST rules` take it:
  /// `{"method": "PUT", "path": "Patient", "skip": 1, "times": 2, "effect": "swallowAnswer"}`.
  ///
  /// `bytes` goes with `cutRequest`, `truncateAnswer` and `drip`, `milliseconds` with `drip` and `holdAnswer`; `"times": 0` means always.
  /// - Throws: `MockFaultError` if a member is unknown, missing or has the wrong kind.
  init(_ document: JSONValue) throws(MockFaultError) {
    guard let object = document.object else { throw MockFaultError(message: "a rule must be an object") }
    let known: Set = ["method", "path", "skip", "times", "effect", "bytes", "milliseconds"]
    if let unknown = object.first(where: { !known.contains($0.key) }) {
      throw MockFaultError(message: "a rule has no member \(unknown.key)")
    }
    func count(_ name: String, _ fallback: Int? = nil) throws(MockFaultError) -> Int {
      if object[name] == nil, let fallback { return fallback }
      guard let count = object[name]?.int, count >= 0 else {
        throw MockFaultError(message: "\(name) must be a number from 0 on")
      }
      return count
    }
    let path = object["path"]?.string
    if let path, (try? Regex(path)) == nil { throw MockFaultError(message: "path is no regular expression") }
    let effect: MockRelay.Effect
    switch object["effect"]?.string {
    case "cutRequest": effect = .cutRequest(afterBytes: try count("bytes"))
    case "resetRequest": effect = .resetRequest
    case "swallowAnswer": effect = .swallowAnswer
    case "resetAnswer": effect = .resetAnswer
    case "truncateAnswer": effect = .truncateAnswer(atByte: try count("bytes"))
    case "drip": effect = .drip(bytes: try count("bytes"), everyMilliseconds: try count("milliseconds"))
    case "holdAnswer": effect = .holdAnswer(milliseconds: try count("milliseconds"))
    default:
      throw MockFaultError(
        message:
          "effect must be cutRequest, resetRequest, swallowAnswer, resetAnswer, truncateAnswer, drip or holdAnswer")
    }
    let times = try count("times", 1)
    self.init(
      method: object["method"]?.string, path: path, skip: try count("skip", 0), times: times == 0 ? nil : times,
      effect: effect)
  }

  /// Rules from a JSON list, or one.
  static func list(_ document: JSONValue) throws(MockFaultError) -> [MockRelay.Rule] {
    var rules: [MockRelay.Rule] = []
    for rule in document.array ?? [document] { rules.append(try MockRelay.Rule(rule)) }
    return rules
  }
}

extension MockRelay {
  /// Adds rules from JSON text: one or a list, as `POST rules` takes them.
  /// - Throws: `MockFaultError` if the text is no JSON, or no rules.
  public func add(rulesIn text: [UInt8]) throws(MockFaultError) {
    let document: JSONValue
    do { document = try JSONValue(parsing: text) } catch {
      throw MockFaultError(message: "the rules are no JSON document: \(error.description)")
    }
    add(try Rule.list(document))
  }
}

extension MockRelay.Exchange {
  /// The exchange as one line of `GET exchanges`.
  var document: JSONValue {
    var object: JSONObject = ["method": .string(method), "target": .string(target)]
    if let effect { object["effect"] = .string(effect.name) }
    if let status { object["status"] = .number(JSONNumber(status)) }
    return .object(object)
  }
}

extension MockRelay.Effect {
  /// The name in JSON.
  var name: String {
    switch self {
    case .cutRequest: "cutRequest"
    case .resetRequest: "resetRequest"
    case .swallowAnswer: "swallowAnswer"
    case .resetAnswer: "resetAnswer"
    case .truncateAnswer: "truncateAnswer"
    case .drip: "drip"
    case .holdAnswer: "holdAnswer"
    }
  }
}
