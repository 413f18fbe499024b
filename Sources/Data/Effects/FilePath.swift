/// Paths as text. Foundation's own cuts of paths trap on a name of one character.
package enum FilePath {
  /// The folder that holds what a path names: empty for a name in the current folder, `/` for one in the root.
  package static func folder(of path: String) -> String {
    let whole = path[...].utf8.dropLast(while: { $0 == slash })
    guard let cut = whole.lastIndex(of: slash) else { return whole.isEmpty && !path.isEmpty ? "/" : "" }
    let folder = whole[..<cut].dropLast(while: { $0 == slash })
    return folder.isEmpty ? "/" : String(Substring(folder))
  }

  /// The last part of a path, without the slashes behind it; empty for the root.
  package static func name(of path: String) -> String {
    let whole = path[...].utf8.dropLast(while: { $0 == slash })
    return String(Substring(whole.lastIndex(of: slash).map { whole[whole.index(after: $0)...] } ?? whole))
  }

  private static let slash = UInt8(ascii: "/")
}

extension Substring.UTF8View {
  fileprivate func dropLast(while isDropped: (UInt8) -> Bool) -> Substring.UTF8View {
    var rest = self
    while let last = rest.last, isDropped(last) { rest = rest.dropLast() }
    return rest
  }
}
