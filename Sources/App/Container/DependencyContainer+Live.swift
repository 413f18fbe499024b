import Data
import Domain

extension DependencyContainer {
  /// Opens the store and all that stands on it.
  ///
  /// - Throws: Why the store cannot be used.
  nonisolated static func openLive(_ settings: Settings) async throws(AppError) -> Repositories {
    let data = try await ClinicData.open(configuration(settings))
    return Repositories(
      patients: data.patients, appointments: data.appointments, schedules: data.schedules,
      observations: data.observations,
      encounters: data.encounters, conditions: data.conditions, allergies: data.allergies,
      medications: data.medications, immunizations: data.immunizations, notes: data.notes,
      practitioners: data.practitioners, locations: data.locations, resolver: data.resolver, sync: data.sync,
      outbox: data.outbox, review: data.review, stores: data.stores, identity: data.identity,
      places: data.places,
      changes: { data.changes() },
      beginSession: {
        let work = data.startBackgroundWork()
        return { await work.end() }
      },
      close: { await data.close() })
  }

  /// What cares for the store when it cannot be opened.
  nonisolated static func liveStores(_ settings: Settings) -> any StoreMaintaining {
    ClinicData.maintenance(configuration(settings))
  }

  nonisolated private static func configuration(_ settings: Settings) -> ClinicData.Configuration {
    ClinicData.Configuration(
      directory: settings.storeDirectory, server: settings.server, tokenFile: settings.tokenFile,
      author: settings.author, isOffline: settings.isOffline, isServiceIdentity: settings.sendsForEveryone,
      allowsPlainHTTP: settings.allowsPlainHTTP, requestTimeout: settings.requestTimeout,
      selection: settings.selection, windows: settings.windows)
  }
}
