import Domain
package import JSON

/// What reading tells about a write whose fate was unknown. Compares only what the write touched.
package enum Resolution {
  /// What became of it.
  package enum Verdict: Hashable, Sendable {
    /// It is at the server, with this document there now.
    case applied(JSONValue)
    /// It was deleted, as we wanted.
    case deletionApplied
    /// It is not there, and what it touches is as it was: send it again.
    case notApplied
    /// It is not there and never will be; the server moved on: merge with this document.
    case movedOn(JSONValue)
    /// The record is gone.
    case gone
    /// The versions in between must be looked at first.
    case needsHistory(JSONValue)
    /// A person has to decide.
    case undecidable(String, theirs: JSONValue?)
    /// More than one record carries our identifier.
    case manyMatches(Int)
  }

  /// Judges an update or a delete by the current document.
  ///
  /// - Parameters:
  ///   - base: the document the write was made on.
  ///   - current: the document now; `nil` when the server says that it is gone.
  ///   - hasHistory: whether the versions in between can be asked for.
  package static func judge(
    _ entry: OutboxEntry, base: JSONValue?, current: JSONValue?, hasHistory: Bool
  ) -> Verdict {
    guard let current else {
      return entry.kind == .delete ? .deletionApplied : .gone
    }
    let version = current["meta"]?["versionId"]?.string
    let isSameVersion =
      version != nil && entry.baseVersion != nil
      ? version == entry.baseVersion
      : base.map { $0.withoutMeta.meansTheSame(as: current.withoutMeta) } ?? false
    switch entry.patch {
    case .create: return entry.recreates && !entry.patch.isMade(by: current) ? .movedOn(current) : .applied(current)
    case .delete: return isSameVersion ? .notApplied : .movedOn(current)
    case .update(let edits):
      if holds(edits, type: entry.key.type, base: base, current) { return .applied(current) }
      if isSameVersion { return .notApplied }
      if hasHistory { return .needsHistory(current) }
      return .undecidable("its answer was lost, and the record was changed at the server since", theirs: current)
    }
  }

  /// Judges an update by the versions of the record, newest first, with the current one.
  ///
  /// - Parameter isComplete: whether the list reaches back to the version that the write was made on.
  package static func judge(
    _ entry: OutboxEntry, base: JSONValue?, current: JSONValue, versions: [JSONValue], isComplete: Bool
  ) -> Verdict {
    guard case .update(let edits) = entry.patch else { return .applied(current) }
    let wasApplied = versions.contains { holds(edits, type: entry.key.type, base: base, $0) }
    let units = ThreeWayMerge.units(of: edits, type: entry.key.type)
    if wasApplied {
      let wasTakenBack = units.contains { unit in
        JSONValue.meanTheSame(unit.values(in: base), unit.values(in: current))
          && !JSONValue.meanTheSame(unit.values(in: edits.apply(to: base ?? .null)), unit.values(in: current))
      }
      return wasTakenBack
        ? .undecidable("it reached the server, and somebody changed it back since", theirs: current)
        : .applied(current)
    }
    // With If-Match on a version that is gone, a late copy of the request can only be refused.
    return isComplete
      ? .movedOn(current)
      : .undecidable("its answer was lost, and the record was changed at the server since", theirs: current)
  }

  /// Judges a create by what carries our identifier, or our id.
  package static func judge(found: [JSONValue]) -> Verdict {
    switch found.count {
    case 0: .notApplied
    case 1: .applied(found[0])
    default: .manyMatches(found.count)
    }
  }

  /// Whether a document holds what the edits make.
  static func holds(_ edits: [ElementEdit], type: String, base: JSONValue?, _ document: JSONValue) -> Bool {
    edits.changes.allSatisfy { JSONValue.meansTheSame(document.value(at: $0.path), $0.new) }
  }
}
