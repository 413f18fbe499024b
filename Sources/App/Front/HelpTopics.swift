import DesignSystem

/// What `help` explains beside the commands.
nonisolated enum HelpTopics {
  static let all: [HelpTopic] = [.lines, .dates, references, scripts, environment, exitStatuses]

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
          + "script, unless --keep-going is given; its exit status is the script's. Errors name the file and the line."),
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
        Field("CLINIC_HOME", "a folder for profiles, and for stores in stores/PROFILE"),
        Field("XDG_CONFIG_HOME", "profiles lie in its folder clinic; else in ~/.config/clinic"),
        Field("XDG_DATA_HOME", "stores lie in its folder clinic; else in ~/.local/share/clinic"),
        Field("USER", "who writes, before anyone signs in"),
        Field("NO_COLOR, TERM=dumb", "no colour"),
        Field("CLINIC_REDUCED_MOTION", "nothing that moves"),
        Field("CLINIC_SCREEN_READER", "text that reads well aloud"),
        Field("COLUMNS", "how wide text may be"),
      ]),
      .spacer, .heading("profile"),
      .paragraph(
        "A profile is a JSON object in the file PROFILE.json; the profile that is used unless another is named is clinic.json."
      ),
      .fields([
        Field("server", "the server's base URL"), Field("zone", "the clinic's time zone"),
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
