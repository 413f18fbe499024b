import Domain
import JSON

/// What is decided element by element: finds the elements that a person names.
struct FieldDecision {
  private let units: [(unit: ConflictUnit, paths: [ElementPath])]

  init(_ disputes: [ThreeWayMerge.Dispute], type: String) {
    var units: [(unit: ConflictUnit, paths: [ElementPath])] = []
    for dispute in disputes {
      let unit = ConflictUnit(containing: dispute.path, type: type)
      if let index = units.firstIndex(where: { $0.unit == unit }) {
        units[index].paths.append(dispute.path)
      } else {
        units.append((unit, [dispute.path]))
      }
    }
    self.units = units
  }

  /// Whose value stands, by unit.
  ///
  /// - Throws: `invalidInput` for an element that is not in dispute, for one that is decided both ways, and when one is
  ///   left undecided, naming those that are.
  func sides(_ choices: [ReviewDecision.FieldChoice]) throws(AppError) -> [ConflictUnit: ReviewDecision.Side] {
    var sides: [ConflictUnit: ReviewDecision.Side] = [:]
    for choice in choices {
      let named = units.filter { Self.isNamed(choice.element, $0.paths) }
      guard let found = named.first, named.count == 1 else {
        throw AppError(
          .invalidInput,
          named.isEmpty
            ? "\"\(choice.element)\" is not in dispute" : "\"\(choice.element)\" may be one of several elements",
          hint: "in dispute: " + Self.list(units.flatMap(\.paths)), field: choice.element)
      }
      if let earlier = sides[found.unit], earlier != choice.side {
        throw AppError(
          .invalidInput, "\(Self.list(found.paths)) can only be decided together, and is decided both ways",
          field: choice.element)
      }
      sides[found.unit] = choice.side
    }
    let open = units.filter { sides[$0.unit] == nil }
    guard open.isEmpty else {
      throw AppError(
        .invalidInput, "not decided yet: " + Self.list(open.flatMap(\.paths)),
        hint: "add --field PATH=mine or --field PATH=theirs for each")
    }
    return sides
  }

  /// A document with other values in some of its elements.
  ///
  /// - Throws: `invalidInput` for an element that the document does not have, or a value that is not of its type.
  static func amending(_ document: JSONValue, _ amendments: [ReviewDecision.Amendment]) throws(AppError) -> JSONValue {
    let leaves = DocumentLeaves.all(in: document)
    var edits: [ElementEdit] = []
    for amendment in amendments {
      if amendment.value.isEmpty, let whole = whole(amendment.element, in: leaves.map(\.path)) {
        edits.append(ElementEdit(path: whole, old: document.value(at: whole), new: nil))
        continue
      }
      let named = leaves.filter { isNamed(amendment.element, [$0.path]) }
      let exact = named.filter { $0.path.description == amendment.element }
      guard let leaf = exact.first ?? (named.count == 1 ? named.first : nil) else {
        throw AppError(
          .invalidInput,
          named.isEmpty
            ? "the write has no element \"\(amendment.element)\" with a plain value"
            : "\"\(amendment.element)\" may be one of several elements",
          hint: "it has " + list((named.isEmpty ? leaves : named).map(\.path)), field: amendment.element)
      }
      var value: JSONValue?
      if !amendment.value.isEmpty {
        value = DocumentLeaves.value(amendment.value, like: leaf.value)
        guard value != nil else {
          throw AppError(
            .invalidInput, "\"\(amendment.value)\" cannot stand where \(ElementWords.text(leaf.value)) stands",
            field: amendment.element)
        }
      }
      edits.append(ElementEdit(path: leaf.path, old: leaf.value, new: value))
    }
    return edits.apply(to: document)
  }

  /// The element of several parts that a word names; `nil` when it names none, or more than one.
  private static func whole(_ word: String, in leaves: [ElementPath]) -> ElementPath? {
    var paths: [ElementPath] = []
    for leaf in leaves {
      for count in 1..<max(1, leaf.steps.count) {
        let path = ElementPath(Array(leaf.steps.prefix(count)))
        if !paths.contains(path) { paths.append(path) }
      }
    }
    if let exact = paths.first(where: { $0.description.lowercased() == word.lowercased() }) { return exact }
    let called = paths.filter { isCalled(word, $0) }
    return called.count == 1 ? called.first : nil
  }

  private static func isCalled(_ word: String, _ path: ElementPath) -> Bool {
    let label = ElementWords.label(path)
    let short = label.split(separator: " (", maxSplits: 1).first.map(String.init) ?? label
    return [label, short].contains { $0.lowercased() == word.lowercased() }
  }

  /// Whether a word names these paths: as a path, as it is called, with or without what stands in brackets behind it, or by
  /// the resource's own element.
  private static func isNamed(_ word: String, _ paths: [ElementPath]) -> Bool {
    paths.contains { path in
      isCalled(word, path)
        || [path.description, path.root ?? ""].contains { $0.lowercased() == word.lowercased() }
    }
  }

  private static func list(_ paths: [ElementPath]) -> String {
    paths.map(\.description).joined(separator: ", ")
  }
}
