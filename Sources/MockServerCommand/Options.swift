import MockServer

/// The command line of `clinic-mock-server`.
struct Options {
  var port: UInt16 = 0
  var loads: [String] = []
  var patients: Int?
  var day: String?
  var profile = MockProfile.standard
  var journal: String?
  var faults: String?
  var showsHelp = false
  var showsVersion = false

  static let help = """
    usage: clinic-mock-server [options]
           clinic-mock-server relay --to URL [options]    stand before a server and break connections: relay --help

    A FHIR R4 server in memory, for tests and demonstrations. It listens on 127.0.0.1 only, prints one line on standard output,
    "listening on http://127.0.0.1:PORT/fhir", and runs until it gets SIGTERM or SIGINT.

      --port N         the port; 0, the default, takes a free one
      --load DIR       load every *.json and *.ndjson below DIR: resources, and Bundles of every type; may be repeated
      --seed N         make a clinic of N patients, the same for the same number and day
      --day YYYY-MM-DD the day around which the seeded clinic's appointments are; today if not given
      --profile NAME   answer as other servers do: \(MockProfile.presets.map(\.name).joined(separator: ", "))
      --journal FILE   keep every applied write in FILE, on disk before it is answered, and begin with what is there
      --faults FILE    a JSON list of faults, as POST /$mock/faults takes it
      --help, --version

    Control, on the same port: /$mock/faults, /$mock/log, /$mock/requests, /$mock/clock, /$mock/snapshot, /$mock/restore, /$mock/profile.
    Exit status: 0 after a signal, 1 if it cannot run, 2 for a wrong command line.
    """

  init(_ arguments: [String]) throws(Failure) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      let halves = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let name = halves[0]
      if ["--help", "--version"].contains(name), halves.count == 1 {
        if name == "--help" { showsHelp = true } else { showsVersion = true }
        continue
      }
      guard Self.valued.contains(name) else { throw Failure("unknown option or argument: \(argument)") }
      guard let value = halves.count > 1 ? halves[1] : rest.popFirst() else { throw Failure("\(name) needs a value") }
      try take(name, value)
    }
    if day != nil, patients == nil { throw Failure("--day is for a seeded clinic: give --seed as well") }
  }

  private static let valued: Set = ["--port", "--load", "--seed", "--day", "--profile", "--journal", "--faults"]

  private mutating func take(_ name: String, _ value: String) throws(Failure) {
    switch name {
    case "--port":
      guard let port = UInt16(value) else { throw Failure("--port must be a number from 0 to 65535, not \(value)") }
      self.port = port
    case "--load": loads.append(value)
    case "--seed":
      guard let patients = Int(value), (0...100_000).contains(patients) else {
        throw Failure("--seed must be a number of patients from 0 to 100000, not \(value)")
      }
      self.patients = patients
    case "--day":
      guard SeededClinic.isDay(value) else { throw Failure("--day must be a day as YYYY-MM-DD, not \(value)") }
      day = value
    case "--profile":
      guard let profile = MockProfile.presets.first(where: { $0.name == value }) else {
        throw Failure("there is no profile \(value): \(MockProfile.presets.map(\.name).joined(separator: ", "))")
      }
      self.profile = profile
    case "--journal": journal = value
    default: faults = value
    }
  }
}

/// What is told to the user.
struct Failure: Error, CustomStringConvertible {
  var message: String
  var description: String { message }

  init(_ message: String) { self.message = message }
}
