public import DesignSystem
public import Domain
public import Observation

/// What was written here and not yet accepted by the server.
@Observable
public final class OutboxViewModel {
  /// All entries.
  public private(set) var list: LoadState<OutboxDisplay> = .idle
  /// What the last answer changed in the list.
  public private(set) var changes = ListChanges<OutboxNumber>()
  /// One entry.
  public private(set) var item: LoadState<OutboxItemDisplay> = .idle
  /// What makes one record look as it does.
  public private(set) var explanation: LoadState<ExplanationDisplay> = .idle
  /// What became of the last discard.
  public private(set) var discarding: ActionState<[OutboxItem]> = .idle

  /// What became of the last export.
  public private(set) var exporting: ActionState<OutboxExport> = .idle

  private let outbox: any OutboxRepository
  private let resolver: any RecordResolving
  private let errors: any ErrorRouting
  private let context: ClinicContext

  /// Creates the model.
  public init(
    outbox: any OutboxRepository, resolver: any RecordResolving, errors: any ErrorRouting, context: ClinicContext
  ) {
    self.outbox = outbox
    self.resolver = resolver
    self.errors = errors
    self.context = context
  }

  /// Shows all entries in order.
  public func load(reading: ReadMode) async {
    list = .loading
    var items: [OutboxItem] = []
    await outbox.outbox().listen(reading == .live ? .live : .local) { snapshot in
      changes = items.update(to: snapshot.value ?? [])
      list = .showing(OutboxDisplay(items: items, zone: context.zone))
    }
  }

  /// Shows one entry with its edits and its history.
  public func load(_ number: OutboxNumber) async {
    item = .loading
    do throws(AppError) {
      item = .showing(OutboxItemDisplay(detail: try await outbox.outboxItem(number), zone: context.zone))
    } catch {
      errors.present(error)
      item = .failed(error)
    }
  }

  /// Takes an entry back.
  ///
  /// - Parameter confirmed: False refuses, naming what would be lost.
  public func discard(_ number: OutboxNumber, confirmed: Bool) async {
    discarding = .working
    do throws(AppError) {
      if !confirmed {
        let item = try await outbox.outboxItem(number).item
        throw AppError(
          .needsConfirmation, "discard entry \(number), \(item.summary)? It was not sent, and will be lost")
      }
      discarding = .done(try await outbox.discard(number, confirmed: true))
    } catch {
      errors.present(error)
      discarding = .failed(error)
    }
  }

  /// Writes all that is unsent into a file.
  public func export(to file: String, replaces: Bool) async {
    exporting = .working
    do throws(AppError) {
      exporting = .done(try await outbox.export(to: file, replaces: replaces))
    } catch {
      errors.present(error)
      exporting = .failed(error)
    }
  }

  /// Explains one record, whatever its type.
  public func explain(_ reference: RecordReference) async {
    explanation = .loading
    do throws(AppError) {
      let found = try await explained(reference)
      explanation = .showing(ExplanationDisplay(explanation: found, zone: context.zone))
    } catch {
      errors.present(error)
      explanation = .failed(error)
    }
  }

  private func explained(_ reference: RecordReference) async throws(AppError) -> RecordExplanation {
    let word: String
    switch reference {
    case .row(_, let target): return try await outbox.explain(ResourceKey(type: target.kind, id: target.id))
    case .text(let text): word = text
    }
    if let key = ResourceKey(reference: word) {
      return try await outbox.explain(try await resolver.resolve(word, type: key.type))
    }
    // The word does not say its type: the first type that knows it is meant.
    for type in Self.types {
      do throws(AppError) {
        return try await outbox.explain(try await resolver.resolve(word, type: type))
      } catch {
        guard error.code == .notFound else { throw error }
      }
    }
    throw AppError(
      .notFound, "no record here is called \"\(word)\"", hint: "give its type too, such as Patient/\(word)")
  }

  private static let types = [
    Patient.resourceType, Appointment.resourceType, Encounter.resourceType, ClinicalObservation.resourceType,
    DocumentReference.resourceType, Condition.resourceType, AllergyIntolerance.resourceType,
    MedicationRequest.resourceType, Immunization.resourceType, Practitioner.resourceType, Location.resourceType,
  ]
}

/// All entries, ready to be shown.
public nonisolated struct OutboxDisplay: Hashable, Sendable {
  /// In the order in which they were written.
  public var items: [OutboxItem]
  /// The clinic's zone.
  public var zone: ClinicZone
}

/// One entry, ready to be shown.
public nonisolated struct OutboxItemDisplay: Hashable, Sendable {
  /// The entry with its edits and its history.
  public var detail: OutboxItemDetail
  /// The clinic's zone.
  public var zone: ClinicZone
}

/// What makes a record look as it does, ready to be shown.
public nonisolated struct ExplanationDisplay: Hashable, Sendable {
  /// The explanation.
  public var explanation: RecordExplanation
  /// The clinic's zone.
  public var zone: ClinicZone
}
