import Foundation
import Glibc
import JSON
import MockServer

/// `clinic-mock-server`: the mock server as a process. Standard output carries one line, the address; everything else goes to standard error.
@main struct Main {
  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.first == "relay" { RelayMain.run(Array(arguments.dropFirst())) }
    let options: Options
    do {
      options = try Options(arguments)
    } catch {
      complain("\(error.message)\nTry --help.")
      exit(2)
    }
    if options.showsHelp {
      print(Options.help)
    } else if options.showsVersion {
      print("clinic-mock-server \(MockServer.version)")
    } else {
      exit(run(options))
    }
  }

  private static func run(_ options: Options) -> Int32 {
    let signals = EndSignals()
    do {
      let model = MockModel(profile: options.profile, clock: .system, seed: .random(in: 0 ... .max))
      try fill(model, options)
      let server = try MockServer.open(model: model, port: options.port)
      print("listening on \(server.baseURL)")
      fflush(nil)
      signals.wait()
      server.close()
      return 0
    } catch {
      complain("\(error)")
      return 1
    }
  }

  private static func fill(_ model: MockModel, _ options: Options) throws {
    if let file = options.faults { model.add(try faults(in: file)) }
    if let path = options.journal, try model.open(MockJournal(path: path)) {
      if !options.loads.isEmpty || options.patients != nil {
        complain("\(path) already holds the records: --load and --seed are not used again")
      }
      return
    }
    var loader = MockLoader()
    for directory in options.loads {
      var isDirectory: ObjCBool = false
      let exists = FileManager.default.fileExists(atPath: directory, isDirectory: &isDirectory)
      guard exists, isDirectory.boolValue else { throw Failure("--load: there is no directory \(directory)") }
      loader.read(directory: directory)
    }
    for problem in loader.problems { complain("not loaded: \(problem)") }
    if let patients = options.patients {
      let clinic = SeededClinic(patients: patients, day: options.day ?? SeededClinic.today())
      for resource in clinic.resources { loader.add(resource, from: "seed") }
    }
    try model.load(loader.records)
    if options.journal != nil { try model.finishLoading() }
    guard !loader.records.isEmpty else { return }
    let counts = model.counts.sorted { $0.key < $1.key }
    let list = counts.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    complain("\(counts.map(\.value).reduce(0, +)) resources: \(list)")
  }

  private static func faults(in file: String) throws(Failure) -> [MockFault] {
    guard let data = FileManager.default.contents(atPath: file) else {
      throw Failure("cannot read the faults in \(file)")
    }
    do {
      return try MockFault.list(JSONValue(parsing: [UInt8](data)))
    } catch {
      throw Failure("\(file): \(error)")
    }
  }

  static func complain(_ text: String) {
    FileHandle.standardError.write(Data("clinic-mock-server: \(text)\n".utf8))
  }
}
