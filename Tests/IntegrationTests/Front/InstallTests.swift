import Foundation
import Testing
import TestSupport

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

  /// What the scripts of zsh and fish are asked, and offer.
  private static let questions = [
    ("clinic appointments ", ["arrive", "book", "cancel", "move", "noshow", "show"]),
    ("clinic patients sh", ["show"]), ("clinic review 1 --keep ", ["mine", "theirs"]),
    ("clinic --offline sync s", ["status"]), ("clinic patients search --lim", ["--limit"]),
    ("clinic run da", ["day.clinic"]),
  ]

  @Test(.enabled(if: (try? Program.onPath("fish")) != nil, "fish is not installed here"))
  func `the script of fish offers what may follow`() async throws {
    try await Desk.with { desk in
      let script = try desk.file("clinic.fish", try await desk.done("completions fish").output)
      let asked = Self.questions.map { "echo \"? \"; complete -C '\($0.0)'" }.joined(separator: "\n")
      let harness = try desk.file(
        "ask.fish",
        """
        set -x PATH \(URL(fileURLWithPath: Program.built("clinic")).deletingLastPathComponent().path) $PATH
        source \(script)
        cd \(desk.folder)/clinic; touch day.clinic
        \(asked)
        """)
      let result = try await run("fish", ["--no-config", harness], in: desk)
      let offered = result.output.split(separator: "? \n").map { answer in
        answer.split(separator: "\n").map { $0.split(separator: "\t").first.map(String.init) ?? "" }
      }
      #expect(offered == Self.questions.map(\.1), "\(result)")
    }
  }

  @Test(.enabled(if: (try? Program.onPath("zsh")) != nil, "zsh is not installed here"))
  func `the script of zsh offers what may follow, with its meaning`() async throws {
    try await Desk.with { desk in
      let script = try desk.file("_clinic", try await desk.done("completions zsh").output)
      let asked = Self.questions.map { "ask '\($0.0)'" }.joined(separator: "\n")
      // What completion gives to the script, and takes from it, in a shell without a terminal.
      let harness = try desk.file(
        "ask.zsh",
        """
        PATH=\(URL(fileURLWithPath: Program.built("clinic")).deletingLastPathComponent().path):$PATH
        compdef() { :; }
        _describe() { print -rl -- "${(@P)2}"; }
        _files() { print -rl -- $PREFIX*(N); }
        source \(script)
        ask() {
          print '? '
          words=("${(@s: :)1}")
          CURRENT=$#words
          PREFIX=$words[-1]
          _clinic
        }
        cd \(desk.folder)/clinic && touch day.clinic
        \(asked)
        """)
      let result = try await run("zsh", ["-f", harness], in: desk)
      let lines = result.output.split(separator: "? \n").map { $0.split(separator: "\n") }
      let offered = lines.map { answer in answer.map { $0.split(separator: ":").first.map(String.init) ?? "" } }
      #expect(offered == Self.questions.map(\.1), "\(result)")
      #expect(lines.first?.first == "arrive:note that the patient is here", "\(result)")
      #expect(lines.dropFirst(2).first == ["mine", "theirs"], "\(result)")
    }
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
