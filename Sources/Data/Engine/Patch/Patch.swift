package import JSON

/// What an outbox entry does to a document.
package enum Patch: Hashable, Sendable {
  /// Makes the document.
  case create(JSONValue)
  /// Changes elements of it.
  case update([ElementEdit])
  /// Deletes it.
  case delete
}

/// One edit: an element gets a value, or goes. It sets state, so applying it twice is applying it once.
package struct ElementEdit: Hashable, Sendable {
  /// Where.
  package var path: ElementPath
  /// What was there when the edit was made; `nil` for nothing.
  package var old: JSONValue?
  /// What is there after it; `nil` for nothing.
  package var new: JSONValue?
  /// Whether it changes nothing, and only keeps what its author saw beside the other edits: `old` and `new` are the same.
  package var isContext = false

  package init(path: ElementPath, old: JSONValue?, new: JSONValue?) {
    self.path = path
    self.old = old
    self.new = new
  }

  /// What stood beside the edits when they were made.
  package init(context path: ElementPath, _ value: JSONValue?) {
    self.init(path: path, old: value, new: value)
    isContext = true
  }
}

extension Patch {
  /// The document after the patch; `nil` when there is none.
  ///
  /// A create meets a base only when the server already holds what it made: then the base stands.
  package func apply(to base: JSONValue?) -> JSONValue? {
    switch self {
    case .create(let document): base ?? document
    case .update(let edits): base.map { edits.apply(to: $0) }
    case .delete: nil
    }
  }
}

extension [ElementEdit] {
  /// The document after the edits.
  package func apply(to document: JSONValue) -> JSONValue {
    var result = document
    for edit in self where !edit.isContext { result.set(edit.new, at: edit.path.steps[...]) }
    return result
  }

  /// Those that change something.
  package var changes: [ElementEdit] { filter { !$0.isContext } }

  /// A document with the values that stood there when the edits were made: what their author saw, as far as it matters
  /// to them.
  func reverted(in document: JSONValue) -> JSONValue {
    map { ElementEdit(path: $0.path, old: nil, new: $0.old) }.apply(to: document)
  }
}

extension Patch {
  /// Whether a document of the server holds all that a create made; the server may have added to it.
  func isMade(by document: JSONValue) -> Bool {
    guard case .create(let made) = self else { return false }
    return PatchDiff.edits(from: document.withoutMeta, to: made.withoutMeta).allSatisfy { $0.new == nil }
  }
}

extension JSONValue {
  /// The value at a path; `nil` when there is none.
  package func value(at path: ElementPath) -> JSONValue? {
    var current: JSONValue? = self
    for step in path.steps {
      switch step {
      case .member(let name): current = current?[name]
      case .item(let identity): current = current?.array?.first(where: identity.matches)
      }
    }
    return current
  }

  /// Puts a value at a path, making what is missing on the way; `nil` removes it, and what becomes empty by that.
  fileprivate mutating func set(_ value: JSONValue?, at steps: ArraySlice<ElementPath.Step>) {
    guard let step = steps.first else {
      if let value { self = value }
      return
    }
    let rest = steps.dropFirst()
    switch step {
    case .member(let name):
      guard case .object(var object) = self else { return }
      if rest.isEmpty {
        object.setPrimitive(value, named: name)
      } else if var child = object[name] ?? (value == nil ? nil : rest.first?.emptyContainer) {
        child.set(value, at: rest)
        // Written out: `nil` alone would be JSON's `null` here.
        object[name] = child.isEmptyContainer ? Optional.none : child
      }
      self = .object(object)
    case .item(let identity):
      guard case .array(var items) = self else { return }
      let index = items.firstIndex(where: identity.matches)
      if rest.isEmpty {
        switch (index, value) {
        case (let index?, let value?): items[index] = value
        case (let index?, nil): items.remove(at: index)
        case (nil, let value?): items.append(value)
        case (nil, nil): break
        }
      } else if let index {
        items[index].set(value, at: rest)
      }
      self = .array(items)
    }
  }

  fileprivate var isEmptyContainer: Bool {
    switch self {
    case .array(let items): items.isEmpty
    case .object(let object): object.isEmpty
    default: false
    }
  }
}

extension ElementPath.Step {
  /// What has to exist for this step to be taken.
  fileprivate var emptyContainer: JSONValue {
    switch self {
    case .member: .object(JSONObject())
    case .item: .array([])
    }
  }
}

extension JSONObject {
  /// Sets an element; the companion that holds the extensions of a list's items (`_given`) goes when it no longer fits.
  fileprivate mutating func setPrimitive(_ value: JSONValue?, named name: String) {
    let before = self[name]
    self[name] = value
    guard let companion = self["_\(name)"]?.array, before != value else { return }
    if value?.array?.count != companion.count { self["_\(name)"] = nil }
  }
}
