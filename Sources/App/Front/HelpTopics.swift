import DesignSystem
import Sync

/// What `help` explains beside the commands.
nonisolated enum HelpTopics {
  static let all: [HelpTopic] =
    [start, .lines, .dates, references, scripts, formats, environment, exitStatuses, guarantees] + SyncHelpTopics.all

  private static let start = HelpTopic(
    "start", summary: "a first day, line by line",
    blocks: [
      .paragraph(
        "Type \"clinic\" alone: a prompt opens, and these are lines for it. The numbers are those of the rows that were "
          + "listed last. Each line also works behind the program's name, with an id or an identifier instead of a number. "
          + "Everything works offline; what you write is sent by \"sync\", and in a session by itself."),
      .spacer, .heading("before the first day"),
      .commandLines(["clinic --server https://host/fhir sync"]),
      .paragraph(
        "Put the server into the environment or the profile, so that you need not type it: see \"help environment\"."),
      .spacer, .heading("a patient"),
      .commandLines([
        "patients search marlow", "patients register --family Marlow --given Ana --birth 1980-05-17",
        "patients search marlow", "patients show 1",
      ]),
      .spacer, .heading("an appointment"),
      .commandLines([
        "appointments book 1 tomorrow 9:30 30min --reason 'follow-up'", "schedule tomorrow",
      ]),
      .spacer, .heading("a visit"),
      .commandLines([
        "patients search marlow", "visits start 1 --walk-in", "vitals add bp 120/80 pulse 72 temp 37.1C",
        "notes add 'Feels well.' --sign", "visits finish",
      ]),
      .paragraph(
        "The prompt shows the patient whose visit it is; elsewhere, add --patient REF."),
      .spacer, .heading("with the server"),
      .commandLines(["sync", "sync status", "outbox"]),
      .spacer, .heading("what needs a decision"),
      .paragraph("When others changed the same thing, or the server refused something, nobody decides for you:"),
      .commandLines(["review", "review show 1", "review 1 --keep mine", "sync"]),
    ])

  private static let formats = HelpTopic(
    "formats", summary: "output for people and for programs",
    blocks: [
      .paragraph(
        "What people read may change at any time. With --json every line of standard output is one JSON object with "
          + "sorted members, for errors too. \"format\" is 1 as long as no member is removed or changes its meaning; new "
          + "kinds and members may come, and readers skip what they do not know."),
      .fields([
        Field("kind", "what the line is about: patient, appointment, error, warning, …"),
        Field("times", "as RFC 3339 writes them, with their offset"),
        Field("dates", "as precise as they are known: 1980, 1980-05, 1980-05-17"),
        Field("numbers", "as they were recorded: 1.50 stays 1.50"),
        Field("null", "not recorded"),
      ]),
      .paragraph(
        "Results stand on standard output, everything else on standard error; with --json, warnings and errors are lines "
          + "of the one stream. A reader that goes away early is no failure."),
    ])

  private static let guarantees = HelpTopic(
    "guarantees", summary: "what happens to what you write",
    blocks: [
      .paragraph(
        "What a line says it has written is on the disk, together with the order to send it. A crash, a full disk or a "
          + "dead battery does not take it back."),
      .paragraph(
        "It reaches the server exactly once and overwrites nothing that nobody saw, if the server compares versions "
          + "(If-Match) and lets clients choose ids or create conditionally. \"sync status\" says which of these the "
          + "server does; where it cannot, what remains possible is found and shown."),
      .paragraph(
        "Where two people changed the same thing, or the server refuses, the matter waits in \"review\" for a person; "
          + "everything else goes on. Ctrl-C ends a line, never what was written."),
    ])

  private static let references = HelpTopic(
    "references", summary: "how records are named: REF",
    blocks: [
      .fields([
        Field("an id", "p-1, or Patient/p-1 where the id is a short number"),
        Field("an identifier", "the value alone, such as MRN-0909"),
        Field("a row's number", "#2 or 2: the row of the last list; at the prompt only"),
      ])
    ])

  private static let scripts = HelpTopic(
    "scripts", summary: "how files of lines are run",
    blocks: [
      .paragraph(
        "\"run FILE\" runs the lines of a file, and lines from a pipe are run alike. The first line that fails ends the "
          + "script, unless --keep-going is given; its exit status is the script's. --echo shows the lines as they run. Errors name the file and the line."
      ),
      .paragraph(
        "Files are UTF-8, with or without a byte order mark; lines may end as on Windows. Blank lines and comments are "
          + "skipped. Lines that ask need --yes."),
    ])

  private static let environment = HelpTopic(
    "environment", summary: "environment variables and the profile",
    blocks: [
      .paragraph("What an option says goes before the environment, and the environment before the profile."),
      .fields([
        Field("CLINIC_SERVER", "the server's base URL"),
        Field("CLINIC_TOKEN_FILE", "a file with the bearer token"),
        Field("CLINIC_ZONE", "the clinic's time zone, such as Europe/Paris; else the profile's, else TZ"),
        Field("CLINIC_TIMEOUT", "the longest time for one request, in seconds; else the profile's, else 30"),
        Field("CLINIC_HOME", "a folder for profiles, for stores in stores/PROFILE, and for state/PROFILE.history"),
        Field("XDG_CONFIG_HOME", "profiles lie in its folder clinic; else in ~/.config/clinic"),
        Field("XDG_DATA_HOME", "stores lie in its folder clinic; else in ~/.local/share/clinic"),
        Field("XDG_STATE_HOME", "a kept history lies in its folder clinic; else in ~/.local/state/clinic"),
        Field("USER", "who writes, before anyone signs in"),
        Field("NO_COLOR, TERM=dumb", "no colour"),
        Field("CLINIC_REDUCED_MOTION", "nothing that moves"),
        Field("CLINIC_SCREEN_READER", "text that reads well aloud"),
        Field("CLINIC_PAGER, PAGER", "what shows long answers on a terminal; less -R if not set, cat for none"),
        Field("COLUMNS", "how wide text may be"),
      ]),
      .spacer, .heading("profile"),
      .paragraph(
        "A profile is a JSON object in the file PROFILE.json; the profile that is used unless another is named is clinic.json."
      ),
      .fields([
        Field("server", "the server's base URL"), Field("store", "the folder of the store"),
        Field("zone", "the clinic's time zone"),
        Field("practitioner", "the id of the practitioner who works here: recorded with every measurement, and booked"),
        Field("location", "the id of the place that is booked"),
        Field("plainHTTP", "allow lets requests go unencrypted to other machines; this machine always may be asked so"),
        Field("timeout", "the longest time for one request, in seconds"),
        Field(
          "pull",
          "an object: locations, practitioners, daysBack, daysAhead, panelOf, patients. Only what these need is pulled"),
        Field(
          "freshness",
          "an object by type of record, or default: fresh and expired, as 90s, 15m, 24h or 7d"),
        Field(
          "history",
          "keep lets the prompt remember the commands of earlier sessions, without what was typed behind them"),
      ]),
    ])

  private static let exitStatuses = HelpTopic(
    "exit-statuses", summary: "what the exit status says",
    blocks: [
      .fields(ExitStatus.allCases.map { Field(String($0.rawValue), $0.meaning) }),
      .spacer,
      .paragraph("Where several apply, the first of 7, 6, 5, 4, 3, 8 is told."),
    ])
}
