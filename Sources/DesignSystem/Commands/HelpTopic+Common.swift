extension HelpTopic {
  /// How days, times and lengths of time are written.
  public static let dates = HelpTopic(
    "dates", summary: "how days, times and lengths of time are written",
    blocks: [
      .heading("days"),
      .fields([
        Field("2026-03-04", "that day"),
        Field("today, tomorrow, yesterday", "as they say"),
        Field("mon … sun, monday … sunday", "the next such day, today included"),
        Field("+3d, -3d, +2w, +1m, +1y", "so many days, weeks, months or years from today"),
      ]),
      .spacer, .heading("times"),
      .fields([
        Field("9:30, 09:30, 9.30", "that time of the day, on the clinic's clock"),
        Field("tomorrow 9:30", "a day and a time, where both are asked for"),
        Field("2026-03-04T09:30", "the same as one word"),
      ]),
      .spacer, .heading("lengths of time"),
      .fields([
        Field("45", "minutes"),
        Field("30s, 30min, 30m, 1h, 1h30", "seconds, minutes, hours, hours and minutes"),
      ]),
      .spacer, .heading("dates of birth"),
      .fields([Field("1980-05-17, 1980-05, 1980", "as precise as they are known")]),
    ])

  /// How lines are split into words and options.
  public static let lines = HelpTopic(
    "lines", summary: "how lines are written: quotes, options, comments, rows",
    blocks: [
      .paragraph("The same lines work at the prompt, from a pipe, in a script and as arguments of the program."),
      .spacer,
      .fields([
        Field("'…'", "one word, everything inside as it stands"),
        Field("\"…\"", "one word; \\\" \\\\ \\n and \\t mean a quote, a backslash, a new line, a tab"),
        Field("\\", "takes the next character as it stands"),
        Field("#", "begins a comment at the start of a word"),
        Field("--name value, --name=value", "an option, anywhere behind the command"),
        Field("--", "ends the options"),
        Field("#3, 3", "the row of that number, as last printed in this session; \\#3 is the same"),
        Field("Patient/3", "the record with that id"),
        Field("$1 … $9, ${10}", "in a script: its arguments"),
      ]),
    ])
}
