import Foundation
import Testing

/// What `Scripts/install` puts where shells and man look for it.
@Suite(.fewAtATime) struct InstallTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path

  private func run(_ program: String, _ arguments: [String], in desk: Desk) async throws -> Finished {
    var launch = desk.launch(arguments)
    launch.path = try Program.onPath(program)
    launch.environment["PATH"] = ProcessInfo.processInfo.environment["PATH"]
    return try await Program.start(launch).finished()
  }

  @Test func `program, manual page and completions are installed, listed and removed`() async throws {
    try await Desk.with { desk in
      let prefix = "\(desk.folder)/prefix"
      let script = "\(Self.root)/Scripts/install"
      let options = [script, "--prefix", prefix]
      let installed = try await run("bash", options + ["--program", Program.built("clinic")], in: desk)
      #expect(installed.status == 0, "\(installed)")
      let listed = try await run("bash", options + ["--list"], in: desk)
      let files = [
        "bin/clinic", "share/man/man1/clinic.1", "share/bash-completion/completions/clinic",
        "share/zsh/site-functions/_clinic", "share/fish/vendor_completions.d/clinic.fish",
      ].map { "\(prefix)/\($0)" }
      #expect(listed.output.split(separator: "\n").map(String.init) == files)

      // The files are what the table says now.
      let texts = try files.dropFirst().map { try String(contentsOfFile: $0, encoding: .utf8) }
      for (text, line) in zip(texts, ["help --man", "completions bash", "completions zsh", "completions fish"]) {
        #expect(try await desk.done(line).output == text)
      }
      try await bashCompletes(files[2], prefix: prefix, in: desk)
      try await manualIsSound(files[1], in: desk)

      let removed = try await run("bash", options + ["--uninstall"], in: desk)
      #expect(removed.status == 0 && files.allSatisfy { !FileManager.default.fileExists(atPath: $0) }, "\(removed)")
    }
  }

  private func bashCompletes(_ file: String, prefix: String, in desk: Desk) async throws {
    #expect(try await run("bash", ["-n", file], in: desk).status == 0)
    let harness = try desk.file(
      "complete.bash",
      """
      PATH=\(prefix)/bin:$PATH
      . \(file)
      ask() {
        COMP_LINE=$1 COMP_POINT=${#1}
        read -ra COMP_WORDS <<<"$1"
        [ "${1% }" = "$1" ] || COMP_WORDS+=("")
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        _clinic
        printf '%s\\n' "$1: ${COMPREPLY[*]}"
      }
      cd \(desk.folder)/clinic && touch day.clinic
      for line in 'clinic appointments ' 'clinic patients sh' 'clinic review 1 --keep ' 'clinic --offline sync s' \\
        'clinic patients search --lim' 'clinic run da'; do ask "$line"; done
      """)
    let result = try await run("bash", [harness], in: desk)
    #expect(
      result.output == """
        clinic appointments : arrive book cancel move noshow show
        clinic patients sh: show
        clinic review 1 --keep : mine theirs
        clinic --offline sync s: status
        clinic patients search --lim: --limit
        clinic run da: day.clinic

        """, "\(result)")
  }

  /// Every line that the page is made of is understood by the formatter.
  private func manualIsSound(_ file: String, in desk: Desk) async throws {
    guard (try? Program.onPath("groff")) != nil else { return }
    let formatted = try await run("groff", ["-man", "-Kutf8", "-Tutf8", "-P-cbou", "-ww", "-b", file], in: desk)
    #expect(formatted.status == 0 && formatted.errors == "", "\(formatted.errors)")
    for part in ["patients register", "EXIT STATUSES", "--offline", "CLINIC_SERVER"] {
      #expect(formatted.output.contains(part), "\(part)")
    }
  }
}
