/// What a FHIR server offers and how it answers where the standard leaves a choice: the differences between servers that clients meet.
public struct MockProfile: Sendable, Equatable {
  /// How an update of an id that never existed is answered.
  public enum ClientIds: Sendable, Equatable {
    /// It creates the resource (`updateCreate`).
    case allowed
    /// It is refused with this status: servers use 400, 404 and 405.
    case refused(status: Int)
  }

  /// What `GET metadata` gives.
  public enum Metadata: Sendable, Equatable {
    /// The CapabilityStatement.
    case statement
    /// 404 with an OperationOutcome.
    case notFound
    /// 200 with a page of HTML.
    case html
    /// 200 with an empty searchset.
    case emptySearchset
  }

  /// Whose history can be read.
  public enum HistoryLevel: Sendable, Hashable { case instance, type, system }

  /// The profile's name, as the command takes it.
  public var name: String
  /// Whether clients choose ids.
  public var clientIds: ClientIds = .allowed
  /// Whether an id of digits only is refused with 400 when a client chooses it.
  public var refusesNumericIds = false
  /// Whether a stale `If-Match` is answered with 412; else the header is ignored.
  public var honoursIfMatch = true
  /// Whether an update or delete without `If-Match` is refused with 400.
  public var requiresIfMatch = false
  /// Whether `If-None-Exist` is looked at; else a create always creates.
  public var honoursIfNoneExist = true
  /// Whether `_sort` is looked at; else a search lists in the order in which resources were made, and says so in its link to itself.
  public var honoursSort = true
  /// Which histories can be read; reading one version needs `.instance`.
  public var keepsHistory: Set<HistoryLevel> = [.instance, .type, .system]
  /// Whether a transaction is atomic. If not, it silently runs entry by entry (where batches are offered).
  public var realTransactions = true
  /// Whether batch and transaction bundles are taken at all; else 405.
  public var offersBatch = true
  /// For how many seconds a write stays invisible to searches, conditional ones included.
  public var searchLagSeconds = 0
  /// After how many uses a next link is answered with 410. Nil: never.
  public var pagesExpireAfter: Int?
  /// Whether the pages of one search are of one moment; else the search runs anew for each and rows may shift.
  public var stablePages = false
  /// Entries a page when the client does not say.
  public var pageSize = 50
  /// The most entries a page has, whatever the client asks for.
  public var largestPage = 1000
  /// What `GET metadata` gives.
  public var metadata: Metadata = .statement
  /// Whether create and update answer with the document when the client has no preference.
  public var returnsBody = true
  /// Whether the server adds an identifier of its own to what is created.
  public var addsIdentifier = false
  /// Whether links inside bundles are absolute.
  public var absoluteLinks = true
  /// Whether references in answers are made absolute.
  public var absoluteReferences = false
  /// Whether versions count 1, 2, 3; else they are opaque.
  public var numericVersions = true
  /// Whether `meta.versionId` and `ETag` are given.
  public var showsVersions = true
  /// Whether an update that changes nothing makes no version.
  public var ignoresEmptyUpdates = false
  /// Whether a deleted resource is answered with 410; else it is forgotten: 404.
  public var remembersDeletes = true
  /// Whether a resource with an element that its type does not have is refused with 400 (for the types that a clinic's client writes).
  public var refusesUnknownElements = false
  /// Whether a delete is refused with 409 while something refers to the resource.
  public var guardsReferences = false

  /// A profile that is the standard's until it is changed.
  public init(name: String) { self.name = name }

  /// As the standard has it, everything offered.
  public static let standard = MockProfile(name: "standard")

  /// The server chooses the ids and runs transactions as batches, as Medplum does by default.
  public static let serverIds: MockProfile = {
    var profile = MockProfile(name: "server-ids")
    profile.clientIds = .refused(status: 404)
    profile.realTransactions = false
    profile.numericVersions = false
    profile.ignoresEmptyUpdates = true
    profile.keepsHistory = [.instance]
    return profile
  }()

  /// As HAPI's JPA server: stable pages that expire, no numeric client ids, references guarded, unchanged updates keep their version.
  public static let hapiLike: MockProfile = {
    var profile = MockProfile(name: "hapi-like")
    profile.refusesNumericIds = true
    profile.stablePages = true
    profile.pageSize = 20
    profile.largestPage = 200
    profile.ignoresEmptyUpdates = true
    profile.guardsReferences = true
    return profile
  }()

  /// Takes nothing loosely: updates need `If-Match`, unknown elements are refused, references are guarded.
  public static let strict: MockProfile = {
    var profile = MockProfile(name: "strict")
    profile.requiresIfMatch = true
    profile.refusesUnknownElements = true
    profile.guardsReferences = true
    return profile
  }()

  /// Nothing is remembered: no history, deleted is 404.
  public static let noHistory: MockProfile = {
    var profile = MockProfile(name: "no-history")
    profile.keepsHistory = []
    profile.remembersDeletes = false
    return profile
  }()

  /// No versions, no `If-Match`, no conditional create, no bundles, no history, metadata unreadable.
  public static let poor: MockProfile = {
    var profile = MockProfile(name: "poor")
    profile.honoursIfMatch = false
    profile.honoursIfNoneExist = false
    profile.keepsHistory = []
    profile.realTransactions = false
    profile.offersBatch = false
    profile.metadata = .notFound
    profile.returnsBody = false
    profile.absoluteLinks = false
    profile.showsVersions = false
    profile.remembersDeletes = false
    return profile
  }()

  /// The presets, by name.
  public static let presets: [MockProfile] = [.standard, .serverIds, .hapiLike, .strict, .noHistory, .poor]
}
