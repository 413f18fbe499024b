public import DesignSystem
import Domain

/// What `help` explains about decisions, machines that go, and syncs that nobody watches.
public nonisolated enum SyncHelpTopics {
  /// All of them.
  public static let all = [decisions, retiring, unattended]

  private static let decisions = HelpTopic(
    "decisions", summary: "what needs a person, and how it is settled",
    blocks: [
      .paragraph(
        "Whatever a machine must not decide becomes a numbered item. \"review\" lists them, \"review show N\" shows one with "
          + "the lines that settle it and what each of them does. Everything else goes on meanwhile."),
      .fields([
        Field(ReviewItem.Kind.conflict.words, "choose values: --keep mine, --keep theirs, or --field for each element"),
        Field(ReviewItem.Kind.deletedRemotely.words, "make it anew: --keep mine; let it go: --keep theirs"),
        Field(ReviewItem.Kind.refusal.words, "correct it: --amend PATH=VALUE, or an edit; send it again: --retry"),
        Field(ReviewItem.Kind.halfApplied.words, "the same; what the server has of the action is listed"),
        Field(ReviewItem.Kind.doubleMatch.words, "have the two merged at the server, then --retry"),
        Field(ReviewItem.Kind.unresolved.words, "--retry looks for it, and sends it only if it is certainly not there"),
        Field(ReviewItem.Kind.likelyDuplicate.words, "one person: patients merge; two people: --retry"),
        Field(ReviewItem.Kind.massDisappearance.words, "keep them: --keep mine; let them go: --keep theirs"),
      ]),
      .paragraph(
        "--discard gives a write up, with what hangs on it. What loses something asks; --yes is the answer in scripts."),
    ])

  private static let retiring = HelpTopic(
    "retiring", summary: "how a machine is retired, or its store taken to another",
    blocks: [
      .list(
        [
          "\"sync --until-empty\" sends what can be sent.", "\"review\" shows what needs a decision first.",
          "\"outbox\" shows what is still left; \"outbox export FILE\" writes it as a FHIR transaction, for somebody who can "
            + "enter it elsewhere.",
          "\"store backup FILE\" keeps a copy. On the next machine, \"store restore FILE\" and \"store adopt\" go on with it.",
          "\"whoami\" names the folder of the store, which holds patients' data: remove it.",
        ], ordered: true),
      .paragraph(
        "To another folder of the same machine: \"store move DIR\". To a server that moved: --server URL with \"store adopt\"."
      ),
    ])

  private static let unattended = HelpTopic(
    "unattended", summary: "syncing by a timer, and what monitoring may ask",
    blocks: [
      .commandLines([
        "clinic sync --wait --until-empty --max-time 20min --log /var/log/clinic.log",
        "clinic sync status --warn-age 4h --warn-review 5",
      ]),
      .spacer,
      .paragraph(
        "No home, terminal or input is needed: give --store DIR where HOME is not set. Nothing is asked; what would need an "
          + "answer is left for \"review\", with exit status 3. One line on standard error says what to do. \"help exit-statuses\" "
          + "has the table."),
      .paragraph(
        "TERM and HUP let it finish what is with the server, for up to 5 seconds. A kill, a power cut, a full disk or a lid "
          + "that is closed lose nothing: the next sync finds out what became of what was on its way."),
      .paragraph("A second sync ends with status 6, unless it is told to --wait. The log may be rotated at any time."),
    ])
}
