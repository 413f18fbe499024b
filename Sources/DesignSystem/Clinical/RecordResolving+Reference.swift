public import Domain

extension RecordResolving {
  /// The record of one type that a line means.
  ///
  /// - Throws: `invalidInput` for a row that shows a record of another type; whatever looking up the word throws.
  public func resolve<Model: ResourceModel>(
    _ reference: RecordReference, as model: Model.Type
  ) async throws(AppError) -> Model.ID {
    switch reference {
    case .row(let number, let target):
      guard target.kind == Model.resourceType else {
        throw AppError(
          .invalidInput,
          "row \(number) shows \(Self.article(target.kind)), and \(Self.article(Model.resourceType)) is asked for",
          hint: "list again and take a number from there, or give an id or an identifier")
      }
      return Model.ID(target.id)
    case .text(let word):
      return Model.ID(try await resolve(word, type: Model.resourceType).id)
    }
  }

  private static func article(_ type: String) -> String {
    ("AEIOU".contains(type.prefix(1)) ? "an " : "a ") + type
  }
}
