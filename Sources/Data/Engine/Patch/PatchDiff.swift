package import JSON

/// The edits that turn one document into another.
package enum PatchDiff {
  /// The edits from `old` to `new`, in the order of the elements, as small as the lists' identities allow.
  package static func edits(from old: JSONValue, to new: JSONValue) -> [ElementEdit] {
    var edits: [ElementEdit] = []
    compare(old, new, at: ElementPath([]), into: &edits)
    return edits
  }

  private static func compare(
    _ old: JSONValue?, _ new: JSONValue?, at path: ElementPath, into edits: inout [ElementEdit]
  ) {
    guard old != new else { return }
    if case .object(let oldObject)? = old, case .object(let newObject)? = new {
      compareMembers(oldObject, newObject, at: path, into: &edits)
    } else if let oldItems = old?.array ?? (old == nil ? [] : nil),
      let newItems = new?.array ?? (new == nil ? [] : nil),
      case .member(let name)? = path.steps.last,
      let oldIdentities = ListIdentity.identities(of: oldItems, named: name),
      let newIdentities = ListIdentity.identities(of: newItems, named: name)
    {
      for (identity, item) in zip(oldIdentities, oldItems) where !newIdentities.contains(identity) {
        edits.append(ElementEdit(path: path.appending(.item(identity)), old: item, new: nil))
      }
      for (identity, item) in zip(newIdentities, newItems) {
        let before = oldIdentities.firstIndex(of: identity).map { oldItems[$0] }
        compare(before, item, at: path.appending(.item(identity)), into: &edits)
      }
    } else {
      edits.append(ElementEdit(path: path, old: old, new: new))
    }
  }

  private static func compareMembers(
    _ old: JSONObject, _ new: JSONObject, at path: ElementPath, into edits: inout [ElementEdit]
  ) {
    for member in old.members {
      compare(member.value, new[member.key], at: path.appending(.member(member.key)), into: &edits)
    }
    for member in new.members where old[member.key] == nil {
      compare(nil, member.value, at: path.appending(.member(member.key)), into: &edits)
    }
  }
}
