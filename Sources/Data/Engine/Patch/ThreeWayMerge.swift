package import JSON

/// What becomes of an edit when the server's document moves under it.
package enum ThreeWayMerge {
  /// The outcome for one entry.
  package enum Outcome: Hashable, Sendable {
    /// Untouched on the other side, or the same on both: the edit stands on the new document.
    case clean(Patch)
    /// The new document already holds what the edit would make.
    case alreadyThere
    /// Touched on both sides, with the elements in dispute.
    case conflict([Dispute])
    /// The document is gone on the other side.
    case deletedRemotely
  }

  /// One unit that was changed on both sides.
  package struct Dispute: Hashable, Sendable {
    package var path: ElementPath
    package var base: JSONValue?
    package var mine: JSONValue?
    package var theirs: JSONValue?
  }

  /// Merges one patch.
  ///
  /// - Parameters:
  ///   - old: the document that the patch was made on: the old base with all earlier entries applied.
  ///   - new: the same with the new base.
  package static func merge(_ patch: Patch, type: String, from old: JSONValue?, to new: JSONValue?) -> Outcome {
    switch patch {
    case .create:
      return new == nil ? .clean(patch) : .alreadyThere
    case .delete:
      guard let new else { return .alreadyThere }
      guard let old, !old.withoutMeta.meansTheSame(as: new.withoutMeta) else { return .clean(patch) }
      let changed = PatchDiff.edits(from: old.withoutMeta, to: new.withoutMeta)
      return .conflict(changed.map { Dispute(path: $0.path, base: $0.old, mine: nil, theirs: $0.new) })
    case .update(let edits):
      guard let new else { return .deletedRemotely }
      return merge(edits, type: type, from: old, to: new)
    }
  }

  private static func merge(_ edits: [ElementEdit], type: String, from old: JSONValue?, to new: JSONValue) -> Outcome {
    let mine = old.map { edits.apply(to: $0) }
    var disputes: [Dispute] = []
    for unit in units(of: edits, type: type) {
      let before = unit.values(in: old)
      let theirs = unit.values(in: new)
      guard !JSONValue.meanTheSame(before, theirs) else { continue }
      let ours = unit.values(in: mine)
      guard !JSONValue.meanTheSame(ours, theirs) else { continue }
      for (index, path) in unit.paths.enumerated()
      where !JSONValue.meansTheSame(ours[index], theirs[index]) || !JSONValue.meansTheSame(before[index], theirs[index])
      {
        disputes.append(Dispute(path: path, base: before[index], mine: ours[index], theirs: theirs[index]))
      }
    }
    if !disputes.isEmpty { return .conflict(disputes) }
    let left = edits.changes.compactMap { edit -> ElementEdit? in
      let there = new.value(at: edit.path)
      return JSONValue.meansTheSame(there, edit.new) ? nil : ElementEdit(path: edit.path, old: there, new: edit.new)
    }
    return left.isEmpty ? .alreadyThere : .clean(.update(left))
  }

  /// The edits with what stood beside them in their units: it is part of what their author saw, and of the dispute.
  package static func withContext(_ edits: [ElementEdit], type: String, from old: JSONValue?) -> [ElementEdit] {
    var known = Set(edits.map(\.path))
    var result = edits
    for unit in units(of: edits, type: type) {
      for (path, value) in zip(unit.paths, unit.values(in: old)) where known.insert(path).inserted {
        result.append(ElementEdit(context: path, value))
      }
    }
    return result
  }

  /// The edits, made whole for a document in which a list item that they change is missing: they then carry the item.
  ///
  /// Without this an edit inside a vanished item would change nothing, and be lost without a word.
  package static func completing(_ edits: [ElementEdit], from old: JSONValue?, to new: JSONValue?) -> [ElementEdit] {
    guard let new, let mine = old.map({ edits.apply(to: $0) }) else { return edits }
    var completed: [ElementEdit] = []
    for edit in edits {
      guard let item = edit.path.firstItem(missingIn: new), item.steps.count < edit.path.steps.count else {
        completed.append(edit)
        continue
      }
      if completed.contains(where: { $0.path == item }) { continue }
      completed.append(ElementEdit(path: item, old: old?.value(at: item), new: mine.value(at: item)))
    }
    return completed
  }

  /// The units that edits touch, each once, in order.
  package static func units(of edits: [ElementEdit], type: String) -> [ConflictUnit] {
    var units: [ConflictUnit] = []
    for edit in edits {
      let unit = ConflictUnit(containing: edit.path, type: type)
      if !units.contains(unit) { units.append(unit) }
    }
    return units
  }
}

extension ElementPath {
  /// The first list item on the way that a document does not hold.
  fileprivate func firstItem(missingIn document: JSONValue) -> ElementPath? {
    for (index, step) in steps.enumerated() {
      guard case .item = step else { continue }
      let item = ElementPath(Array(steps.prefix(index + 1)))
      if document.value(at: item) == nil { return item }
    }
    return nil
  }
}

extension JSONValue {
  /// The document without what only the server writes.
  package var withoutMeta: JSONValue {
    guard case .object(var object) = self else { return self }
    object["meta"] = nil
    return .object(object)
  }
}
