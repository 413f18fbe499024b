import DesignSystem

/// A small front with one of everything.
enum Sample {
  static let table = CommandTable(
    commands: [
      command(
        CommandSpec(
          path: ["patients", "search"], summary: "find patients by name or identifier",
          arguments: [ArgumentSpec("text", .text, .rest(atLeast: 1), summary: "words of a name, or an identifier")],
          options: [OptionSpec("limit", .integer, summary: "how many to show")],
          examples: ["patients search ana", "patients search \"de la Cruz\" --limit 5"])),
      command(
        CommandSpec(
          path: ["patients", "show"], summary: "show one patient", arguments: [ArgumentSpec("ref", .ref)],
          examples: ["patients show #1"])),
      command(
        CommandSpec(
          path: ["patients", "register"], summary: "register a patient",
          options: [
            OptionSpec("family", required: true, placeholder: "NAME", summary: "family name"),
            OptionSpec("given", repeats: true, placeholder: "NAME", summary: "given name"),
            OptionSpec("birth", .partialDate, summary: "birth date, as precise as it is known"),
          ],
          examples: ["patients register --family Pérez --given Ana --given María --birth 1980-05"], effects: .write,
          discussion: ["The patient is kept here at once and sent with the next sync."])),
      command(
        CommandSpec(
          path: ["schedule"], summary: "show a day's appointments", arguments: [ArgumentSpec("day", .date, .optional)],
          examples: ["schedule", "schedule tomorrow"])),
      command(
        CommandSpec(
          path: ["appointments", "book"], summary: "book an appointment",
          arguments: [
            ArgumentSpec("ref", .ref), ArgumentSpec("when", .dateTime), ArgumentSpec("duration", .duration, .optional),
          ],
          options: [OptionSpec("with", .ref, placeholder: "PRACTITIONER", summary: "whose appointment it is")],
          examples: ["appointments book #1 tomorrow 9:30 30min", "appointments book MRN-17 2026-03-04T09:30"],
          effects: .write)),
      command(
        CommandSpec(
          path: ["review"], summary: "decide what needs a person",
          arguments: [ArgumentSpec("number", .integer, .optional)],
          options: [OptionSpec("keep", .choice(["mine", "theirs"]), summary: "whose value stays")], effects: .write)),
      command(
        CommandSpec(
          path: ["review", "show"], summary: "show what a decision is about",
          arguments: [ArgumentSpec("number", .integer)])),
      command(CommandSpec(path: ["sync"], summary: "send, fetch and report", effects: .write)),
    ],
    globals: GlobalSpecs(
      options: [OptionSpec("store", .file, placeholder: "DIR", summary: "where the data is kept")],
      flags: [FlagSpec("json", summary: "answer in JSON, one object a line"), .yes]),
    topics: [.dates, .lines])

  static let rows = RowBindings(targets: [
    RowTarget(kind: "Patient", id: "a"), RowTarget(kind: "Patient", id: "b"), RowTarget(kind: "Patient", id: "c"),
  ])

  private static func command(_ spec: CommandSpec) -> Command {
    Command(spec) { _ in Page(title: spec.name) }
  }
}
