public import Domain
import Synchronization

/// Practitioners and locations in memory.
public final class FakeDirectory: PractitionerRepository, LocationRepository {
  private let practitionersByID: [Practitioner.ID: Practitioner]
  private let locationsByID: [Location.ID: Location]

  public init(practitioners: [Practitioner] = [], locations: [Location] = []) {
    practitionersByID = Dictionary(practitioners.map { ($0.id, $0) }) { _, last in last }
    locationsByID = Dictionary(locations.map { ($0.id, $0) }) { _, last in last }
  }

  public func practitioner(_ id: Practitioner.ID, policy: ReadPolicy) -> Snapshots<Practitioner> {
    Snapshots([Snapshot(value: practitionersByID[id], freshness: .missing)])
  }

  public func practitioners(policy: ReadPolicy) -> Snapshots<[Practitioner]> {
    Snapshots([
      Snapshot(value: practitionersByID.values.sorted { $0.displayName < $1.displayName }, freshness: .missing)
    ])
  }

  public func location(_ id: Location.ID, policy: ReadPolicy) -> Snapshots<Location> {
    Snapshots([Snapshot(value: locationsByID[id], freshness: .missing)])
  }

  public func locations(policy: ReadPolicy) -> Snapshots<[Location]> {
    Snapshots([Snapshot(value: locationsByID.values.sorted { $0.displayName < $1.displayName }, freshness: .missing)])
  }
}

/// Finds records by a table of words; every other word that looks like an id is one.
public final class FakeResolver: RecordResolving {
  private let words: [String: ResourceKey]
  private let unknown: Set<String>

  /// - Parameters:
  ///   - words: What a word names.
  ///   - unknown: Words that name nothing.
  public init(_ words: [String: ResourceKey] = [:], unknown: Set<String> = []) {
    self.words = words
    self.unknown = unknown
  }

  public func resolve(_ word: String, type: String) async throws(AppError) -> ResourceKey {
    if let key = words[word] {
      guard key.type == type else { throw AppError(.notFound, "no \(type) is called \"\(word)\"") }
      return key
    }
    if unknown.contains(word) { throw AppError(.notFound, "no \(type) is called \"\(word)\"") }
    return ResourceKey(reference: word) ?? ResourceKey(type: type, id: word)
  }
}
