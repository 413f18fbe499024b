/// What became of a list, keyed by id: so that a front can animate or announce each change instead of a new list.
public struct ListChanges<ID: Hashable & Sendable>: Hashable, Sendable {
  /// One change. Positions are those at the moment of the change, when all are made in order.
  public enum Change: Hashable, Sendable {
    /// A row is gone.
    case removed(ID, at: Int)
    /// A row is new.
    case inserted(ID, at: Int)
    /// A row stands elsewhere; its content may have changed too, which is told apart.
    case moved(ID, from: Int, to: Int)
    /// A row shows something else.
    case updated(ID, at: Int)
  }

  /// In the order in which they are to be made.
  public var changes: [Change]

  /// Creates changes.
  public init(_ changes: [Change] = []) {
    self.changes = changes
  }

  /// Whether nothing changed.
  public var isEmpty: Bool { changes.isEmpty }
}

extension Array where Element: Identifiable & Equatable, Element.ID: Sendable {
  /// Brings the rows up to date by the differences alone: a row that stays the same is not touched.
  ///
  /// Costs in proportion to the length times the number of changes.
  ///
  /// - Returns: what changed.
  public mutating func update(to new: [Element]) -> ListChanges<Element.ID> {
    var changes: [ListChanges<Element.ID>.Change] = []
    let kept = Set(new.map { $0.id })
    for index in indices.reversed() where !kept.contains(self[index].id) {
      changes.append(.removed(self[index].id, at: index))
      remove(at: index)
    }
    let old = Set(map { $0.id })
    for (index, row) in new.enumerated() {
      if index < count, self[index].id == row.id {
        // It stands where it shall.
      } else if old.contains(row.id), let from = self[index...].firstIndex(where: { $0.id == row.id }) {
        changes.append(.moved(row.id, from: from, to: index))
        insert(remove(at: from), at: index)
      } else {
        changes.append(.inserted(row.id, at: index))
        insert(row, at: index)
      }
      if self[index] != row {
        changes.append(.updated(row.id, at: index))
        self[index] = row
      }
    }
    if count > new.count { removeSubrange(new.count...) }
    return ListChanges(changes)
  }
}
