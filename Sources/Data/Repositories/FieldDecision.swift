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

  /// Whether a word names these paths: as a path, as it is called, or by the resource's own element.
  private static func isNamed(_ word: String, _ paths: [ElementPath]) -> Bool {
    paths.contains { path in
      [path.description, ElementWords.label(path), path.root ?? ""].contains { $0.lowercased() == word.lowercased() }
    }
  }

  private static func list(_ paths: [ElementPath]) -> String {
    paths.map(\.description).joined(separator: ", ")
  }
}
