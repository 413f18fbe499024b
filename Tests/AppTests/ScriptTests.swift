import Domain
import Foundation
import TestSupport
import Testing

@testable import App

@Suite("Scripts")
struct ScriptTests {
  static let script =
    "\u{FEFF}patients show p-1\r\n\r\n# a comment\r\n\tpatients show p-1 \r\nvitals add pulse 72 --patient p-1"

  @Test("a file from another system does the same as a plain one, from a file and from a pipe")
  func foreign() async throws {
    let plain = await run(
      [], input: MemoryLines("patients show p-1\npatients show p-1\nvitals add pulse 72 --patient p-1\n"))
    #expect(plain.status == 0 && !plain.output.isEmpty)
    #expect(await run([], input: MemoryLines(Self.script)) == plain)
    #expect(try await withFile(Self.script) { await run(["run", $0]) } == plain)
    #expect(await run(["run", "-"], input: MemoryLines(Self.script)) == plain)
  }

  @Test("a script stops at the first line that fails, naming file and line as an editor counts them")
  func stops() async throws {
    let clinic = FakeClinic.withAna()
    try await withFile(
      "\u{FEFF}# first\r\n\r\nvitals add pulse 400 --patient p-1\r\nvitals add pulse 72 --patient p-1\r\n"
    ) { path in
      let result = await run(["run", path], clinic: clinic)
      #expect(result.status == 1 && clinic.observations.recorded.isEmpty)
      #expect(result.errors.hasPrefix("Error in \(path):3: pulse 400"))
      let going = await run(["run", path, "--keep-going"], clinic: clinic)
      #expect(going.status == 1 && clinic.observations.recorded.count == 1)
      let json = await run(["run", path, "--json"], clinic: clinic)
      #expect(json.output.contains(#""line":3"#) && json.errors == "")
    }
  }

  @Test("a line that is no UTF-8 is refused with its number")
  func invalidUTF8() async throws {
    try await withFile(Array("whoami\n".utf8) + [0x77, 0xFF, 0x0A]) { path in
      let result = await run(["run", path])
      #expect(result.status == 1 && result.errors.contains("\(path):2: the line is not valid UTF-8"))
    }
  }

  @Test("a script gets its arguments, and a missing one is an error of the line")
  func parameters() async throws {
    try await withFile("patients show $1\nvitals add pulse 72 --patient $2\n") { path in
      let clinic = FakeClinic.withAna()
      #expect(await run(["run", path, "p-1", "p-1"], clinic: clinic).status == 0)
      #expect(clinic.observations.recorded.count == 1)
      #expect(await run(["run", path, "p-1"]).errors.contains("\(path):2"))
    }
  }

  @Test("with --echo each line is shown before it runs, and blank ones are not")
  func echo() async throws {
    try await withFile("# first\n\nwhoami\n\thelp \u{1B}[2J\n") { path in
      let result = await run(["run", path, "--echo", "--keep-going"])
      #expect(result.errors.hasPrefix("> whoami\n>  help ␛[2J\nError in \(path):4: no help about"))
    }
  }

  @Test("a script that cannot be read, or that calls itself for ever, fails")
  func unreadable() async throws {
    let missing = await run(["run", "/nowhere/day.clinic"])
    #expect(missing.status == 1 && missing.errors.contains("/nowhere/day.clinic"))
    try await withFile("") { path in
      try await withFile("run \(path)") { _ in
        #expect(await run(["run", path]).status == 0)
      }
    }
    let loop = try await withFile("placeholder") { path in
      try Array("run \(path)\n".utf8).withUnsafeBytes { try Self.write($0, to: path) }
      return await run(["run", path])
    }
    #expect(loop.status == 1 && loop.errors.contains("deep"))
  }

  @Test("quit ends a script")
  func quit() async {
    let clinic = FakeClinic.withAna()
    let result = await run([], clinic: clinic, input: MemoryLines("quit\nvitals add pulse 72 --patient p-1\n"))
    #expect(result.status == 0 && clinic.observations.recorded.isEmpty)
  }

  @Test("a row's number means nothing in a script")
  func rows() async {
    let result = await run([], input: MemoryLines("patients show p-1\npatients show 1\n"))
    #expect(result.status == 2 && result.errors.contains("standard input:2"))
  }

  private static func write(_ bytes: UnsafeRawBufferPointer, to path: String) throws {
    try Foundation.Data(bytes).write(to: URL(fileURLWithPath: path))
  }
}
