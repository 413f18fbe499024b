import DesignSystem
import Domain

/// The lines about notes.
nonisolated enum NoteCommands {
  static let specs = [addSpec, showSpec, editSpec, signSpec, addendumSpec, retractSpec]

  @MainActor
  static func commands(of feature: VisitsFeature) -> [Command] {
    [
      Command(addSpec) { invocation throws(AppError) in
        let model = feature.notes
        let patient = try await feature.patient(invocation)
        await model.add(
          try await feature.noteText(invocation), of: patient, signs: invocation.flag("sign"),
          reading: feature.context.reading(for: invocation))
        return try model.change.page { $0.page() }
      },
      Command(showSpec) { invocation throws(AppError) in
        let id = try await feature.note(invocation)
        let page = try await feature.page(at: .note(id), reading: feature.context.reading(for: invocation))
        feature.coordinator.showNote(id)
        return page
      },
      Command(editSpec) { invocation throws(AppError) in
        let model = feature.notes
        let id = try await feature.note(invocation)
        await model.rewrite(id, try await feature.noteText(invocation))
        return try model.change.page { $0.page() }
      },
      Command(signSpec) { invocation throws(AppError) in
        let model = feature.notes
        await model.sign(try await feature.note(invocation))
        return try model.change.page { $0.page() }
      },
      Command(addendumSpec) { invocation throws(AppError) in
        let model = feature.notes
        let id = try await feature.note(invocation)
        await model.append(try await feature.noteText(invocation), to: id)
        return try model.change.page { $0.page() }
      },
      Command(retractSpec) { invocation throws(AppError) in
        let model = feature.notes
        await model.retract(try await feature.note(invocation), confirmed: invocation.confirmed)
        return try model.change.page { $0.page() }
      },
    ]
  }

  static let addSpec = CommandSpec(
    path: ["notes", "add"], summary: "write a note of a patient, in the open visit",
    arguments: [textArgument], options: [fileOption, .patient],
    flags: [FlagSpec("sign", summary: "sign it at once; else it is a draft that may be edited")],
    examples: [
      "notes add 'Throat red, no fever.' --patient MRN-0909", "notes add --file note.txt --patient MRN-0909 --sign",
      "notes add --file - --patient MRN-0909",
    ], effects: .write,
    discussion: ["A signed note is not edited any more: \"notes addendum\" adds to it."])

  static let showSpec = CommandSpec(
    path: ["notes", "show"], summary: "show a note with its addenda", arguments: [noteArgument],
    examples: ["notes show 2"])

  static let editSpec = CommandSpec(
    path: ["notes", "edit"], summary: "put another text in the place of a draft's",
    arguments: [noteArgument, textArgument], options: [fileOption],
    examples: ["notes edit 2 'Throat red, temperature 38.2.'"], effects: .write)

  static let signSpec = CommandSpec(
    path: ["notes", "sign"], summary: "sign a draft", arguments: [noteArgument], examples: ["notes sign 2"],
    effects: .write)

  static let addendumSpec = CommandSpec(
    path: ["notes", "addendum"], summary: "add to a note that is signed", arguments: [noteArgument, textArgument],
    options: [fileOption], examples: ["notes addendum 2 'Swab was negative.'"], effects: .write,
    discussion: ["The note itself stays as it was signed. The addendum is a signed note that names it."])

  static let retractSpec = CommandSpec(
    path: ["notes", "retract"], summary: "mark a note as entered in error", arguments: [noteArgument],
    examples: ["notes retract 2 --yes"], effects: .write,
    discussion: ["It stays in the record, apart from the others. Asks first; --yes is the answer in scripts."])

  private static let noteArgument = ArgumentSpec("ref", .ref, summary: "the note: an id or a row's number")

  private static let textArgument = ArgumentSpec(
    "text", .text, .rest(atLeast: 0), summary: "what it says; quotes keep spaces as they are")

  private static let fileOption = OptionSpec(
    "file", .file, summary: "a file with the text, in UTF-8; - for standard input")
}

extension VisitsFeature {
  fileprivate func note(_ invocation: Invocation) async throws(AppError) -> DocumentReference.ID {
    try await resolver.resolve(invocation.ref("ref"), as: DocumentReference.self)
  }

  /// The text of a line: its words, or a file's.
  fileprivate func noteText(_ invocation: Invocation) async throws(AppError) -> String {
    switch (invocation.optionalText("text"), invocation.option("file")) {
    case (let text?, nil): return text
    case (nil, let path?): return try await repositories.files.text(at: path)
    case (.some, .some): throw AppError(.invalidInput, "a text and --file exclude each other", field: "file")
    case (nil, nil):
      throw AppError(.invalidInput, "there is no text", hint: "give it in quotes, or --file FILE", field: "text")
    }
  }
}
