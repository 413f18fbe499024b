/// The command line of `clinic-mock-server relay`.
struct RelayOptions {
  var target = ""
  var port: UInt16 = 0
  var control: UInt16 = 0
  var rules: String?
  var showsHelp = false

  static let help = """
    usage: clinic-mock-server relay --to URL [options]

    Stands before an HTTP server on this machine, passes requests and answers on unchanged, and breaks connections as it is told:
    for trying out what an app does when an answer is lost. It prints two lines on standard output, "listening on URL" and
    "control on http://127.0.0.1:PORT", and runs until it gets SIGTERM or SIGINT.

      --to URL         the server's base URL, with its port: http://127.0.0.1:8090/fhir
      --port N         the port; 0, the default, takes a free one
      --control N      the port of the control; 0, the default, takes a free one
      --rules FILE     a JSON list of rules, as POST /rules takes it
      --help

    Control: POST and DELETE /rules, GET /exchanges, POST /down, POST /up.
    A rule: {"method": "PUT", "path": "Patient", "skip": 0, "times": 1, "effect": "swallowAnswer"}; effects: cutRequest (bytes), resetRequest,
    swallowAnswer, resetAnswer, truncateAnswer (bytes), drip (bytes, milliseconds), holdAnswer (milliseconds).
    Exit status: 0 after a signal, 1 if it cannot run, 2 for a wrong command line.
    """

  init(_ arguments: [String]) throws(Failure) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--help" {
        showsHelp = true
        continue
      }
      let halves = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let name = halves[0]
      guard ["--to", "--port", "--control", "--rules"].contains(name) else {
        throw Failure("unknown option or argument: \(argument)")
      }
      guard let value = halves.count > 1 ? halves[1] : rest.popFirst() else { throw Failure("\(name) needs a value") }
      switch name {
      case "--to": target = value
      case "--port": port = try Self.port(name, value)
      case "--control": control = try Self.port(name, value)
      default: rules = value
      }
    }
    if target.isEmpty, !showsHelp { throw Failure("a relay needs --to URL") }
  }

  private static func port(_ name: String, _ value: String) throws(Failure) -> UInt16 {
    guard let port = UInt16(value) else { throw Failure("\(name) must be a number from 0 to 65535, not \(value)") }
    return port
  }
}
