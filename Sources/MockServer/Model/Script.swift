/// A rule that waits for certain requests.
protocol ScriptedRule: Sendable {
  var method: String? { get }
  var path: String? { get }
  var skip: Int { get set }
  var times: Int? { get set }
}

/// Rules that are still to happen. The first that catches a request is used.
struct Script<Rule: ScriptedRule>: Sendable {
  private(set) var rules: [Rule] = []

  mutating func add(_ more: [Rule]) { rules += more }

  /// The rule for a request, which counts as used.
  mutating func take(method: String, target: String) -> Rule? {
    for index in rules.indices where Self.catches(rules[index], method: method, target: target) {
      if rules[index].skip > 0 {
        rules[index].skip -= 1
        continue
      }
      let rule = rules[index]
      if let times = rule.times {
        if times <= 1 { rules.remove(at: index) } else { rules[index].times = times - 1 }
      }
      return rule
    }
    return nil
  }

  private static func catches(_ rule: Rule, method: String, target: String) -> Bool {
    if let own = rule.method, own != method { return false }
    guard let path = rule.path else { return true }
    guard let pattern = try? Regex(path) else { return false }
    return target.firstMatch(of: pattern) != nil
  }
}
