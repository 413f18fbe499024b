package import MockServer

/// The kinds of server that worlds are drawn with.
package enum SimServerKind {
  /// From this seed on pages may shift; the worlds before stay what they were.
  private static let firstShifting: UInt64 = 400_000_000

  /// From this seed on, up to those of long programs, some servers list in no order of time.
  private static let unordered: Range<UInt64> = 800_000_000..<SimProgram.firstLong

  /// The kind of server of a seed.
  static func drawn(seed: UInt64, _ random: inout SimRandom) -> MockProfile {
    var profile = drawn(&random)
    var shifting = SimRandom(seed: seed, stream: 8)
    if seed >= firstShifting, shifting.chance(0.4) { profile.stablePages = false }
    // Where rows shift besides, what a deletion pushed to an earlier page is never listed.
    if unordered.contains(seed), profile.stablePages, shifting.chance(0.7) { profile.honoursSort = false }
    return profile
  }

  private static func drawn(_ random: inout SimRandom) -> MockProfile {
    var profile = MockProfile(name: "simulated")
    profile.clientIds = random.chance(0.5) ? .allowed : .refused(status: random.pick([400, 404, 405]) ?? 405)
    profile.honoursIfMatch = random.chance(0.8)
    profile.honoursIfNoneExist = random.chance(0.8)
    profile.requiresIfMatch = profile.honoursIfMatch && random.chance(0.2)
    profile.keepsHistory = random.pick([[.instance, .type, .system], [.instance, .type], [.instance], []]) ?? []
    profile.offersBatch = random.chance(0.85)
    profile.realTransactions = random.chance(0.7)
    profile.searchLagSeconds = random.pick([0, 0, 0, 3, 10]) ?? 0
    profile.pagesExpireAfter = random.pick([nil, nil, nil, 1, 2]) ?? nil
    profile.largestPage = random.pick([2, 3, 5, 1_000]) ?? 1_000
    profile.stablePages = true
    profile.metadata = random.pick([.statement, .statement, .statement, .notFound, .emptySearchset]) ?? .statement
    profile.addsIdentifier = random.chance(0.2)
    profile.absoluteLinks = random.chance(0.6)
    profile.absoluteReferences = random.chance(0.15)
    profile.numericVersions = random.chance(0.6)
    profile.showsVersions = profile.honoursIfMatch || random.chance(0.6)
    profile.ignoresEmptyUpdates = random.chance(0.4)
    profile.remembersDeletes = random.chance(0.7)
    profile.guardsReferences = random.chance(0.3)
    return profile
  }

  /// The kind in a line, for people.
  package static func describe(_ profile: MockProfile) -> String {
    var words: [String] = []
    words.append(profile.clientIds == .allowed ? "client-ids" : "server-ids")
    words.append(profile.honoursIfMatch ? (profile.requiresIfMatch ? "if-match-required" : "if-match") : "NO-if-match")
    words.append(profile.honoursIfNoneExist ? "if-none-exist" : "NO-if-none-exist")
    words.append(
      "history=" + (profile.keepsHistory.contains(.type) ? "type" : profile.keepsHistory.isEmpty ? "none" : "instance"))
    words.append(profile.offersBatch ? (profile.realTransactions ? "transactions" : "batch") : "no-bundles")
    words.append("lag=\(profile.searchLagSeconds)")
    words.append("expire=\(profile.pagesExpireAfter.map(String.init) ?? "-")")
    words.append("page=\(profile.largestPage)")
    words.append("metadata=\(profile.metadata)")
    words.append(profile.showsVersions ? (profile.numericVersions ? "numbered" : "opaque") : "NO-versions")
    if !profile.stablePages { words.append("shifting-pages") }
    if !profile.honoursSort { words.append("unordered") }
    if profile.addsIdentifier { words.append("adds-identifier") }
    if profile.absoluteReferences { words.append("absolute-references") }
    if profile.ignoresEmptyUpdates { words.append("ignores-empty") }
    if !profile.remembersDeletes { words.append("forgets-deletes") }
    if profile.guardsReferences { words.append("guards-references") }
    return words.joined(separator: " ")
  }
}
