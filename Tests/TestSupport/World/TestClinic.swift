package import Data
package import Domain
import Foundation
package import JSON
package import MockServer

/// A clinic for tests: a store in a folder of its own, the mock's model as its server, and a world that the test owns.
package struct TestClinic: Sendable {
  package let data: ClinicData
  package let world: VirtualWorld
  package let transport: ModelTransport
  package let directory: String

  package var model: MockModel { transport.model }

  /// Opens a clinic.
  ///
  /// - Parameters:
  ///   - directory: the store's folder; `nil` makes a new one.
  ///   - configure: changes what is opened, e.g. the author.
  package static func open(
    profile: MockProfile = .standard, transport: ModelTransport? = nil, world: VirtualWorld = VirtualWorld(),
    directory: String? = nil, configure: (inout ClinicData.Configuration) -> Void = { _ in }
  ) async throws -> TestClinic {
    let transport =
      transport
      ?? ModelTransport(
        MockModel(profile: profile, clock: MockClock(milliseconds: world.now), baseURL: ModelTransport.base),
        world: world)
    let directory = directory ?? FileManager.default.temporaryDirectory.path + "/clinic-test-" + UUID().uuidString
    var configuration = ClinicData.Configuration(
      directory: directory, server: ModelTransport.base, author: .operatingSystemUser("nora"))
    configure(&configuration)
    let data = try await ClinicData.open(configuration, effects: world.effects, transport: transport)
    return TestClinic(data: data, world: world, transport: transport, directory: directory)
  }

  /// The same store opened again, as after a restart. The first one must not be used any more.
  package func reopened(configure: (inout ClinicData.Configuration) -> Void = { _ in }) async throws -> TestClinic {
    await data.close()
    return try await TestClinic.open(
      transport: transport, world: world, directory: directory, configure: configure)
  }

  /// Closes the store and removes its folder.
  package func remove() async {
    await data.close()
    try? FileManager.default.removeItem(atPath: directory)
  }

  /// Syncs, and lets nothing wait for a backoff.
  @discardableResult
  package func sync(pushes: Bool = true, pulls: Bool = true) async throws -> SyncReport {
    try await data.sync.sync(SyncOptions(pushes: pushes, pulls: pulls), progress: { _ in })
  }

  // MARK: The server behind the client's back

  /// Puts a document on the server, as another client.
  @discardableResult
  package func put(_ document: JSONValue) -> JSONValue {
    let type = document["resourceType"]?.string ?? ""
    let id = document["id"]?.string ?? ""
    if model.resource(type, id) == nil {
      model.load([document])
    } else {
      model.clock = MockClock(milliseconds: max(world.now, model.clock.now))
      _ = model.handle(MockRequest("PUT", "/fhir/\(type)/\(id)", headers: precondition(type, id), document: document))
    }
    return model.resource(type, id) ?? .null
  }

  /// Changes one element of a document on the server, as another client.
  package func change(_ type: String, _ id: String, _ change: (inout JSONValue) -> Void) {
    guard var document = model.resource(type, id) else { return }
    change(&document)
    put(document)
  }

  /// Deletes a document on the server, as another client.
  package func delete(_ type: String, _ id: String) {
    _ = model.handle(MockRequest("DELETE", "/fhir/\(type)/\(id)", headers: precondition(type, id)))
  }

  /// What a server that insists on `If-Match` wants to see.
  private func precondition(_ type: String, _ id: String) -> [String: String] {
    guard model.profile.requiresIfMatch, let version = model.resource(type, id)?["meta"]?["versionId"]?.string else {
      return [:]
    }
    return ["If-Match": "W/\"\(version)\""]
  }

  // MARK: The local side

  /// The patient as readers see it.
  package func patient(_ id: Patient.ID) async -> Patient? {
    await data.patients.patient(id, policy: .localOnly).first()?.value
  }

  /// The outbox.
  package func outbox() async -> [OutboxItem] {
    await data.outbox.outbox().first()?.value ?? []
  }

  /// The review list.
  package func review() async -> [ReviewItem] {
    await data.review.reviewItems().first()?.value ?? []
  }

  /// Registers a patient.
  package func register(family: String, phone: String? = nil) async throws -> Patient.ID {
    let patient = Patient(
      id: Patient.ID(""), name: [HumanName(family: family)],
      telecom: phone.map { [ContactPoint(system: .known(.phone), value: $0, use: .known(.home))] } ?? [])
    return Patient.ID(try await data.patients.register(patient).key.id)
  }

  /// Sets a patient's phone.
  package func setPhone(_ phone: String, of id: Patient.ID) async throws {
    _ = try await data.patients.edit(id) { patient in
      if patient.telecom.isEmpty {
        patient.telecom = [ContactPoint(system: .known(.phone), value: phone, use: .known(.home))]
      } else {
        patient.telecom[0].value = phone
      }
    }
  }

  /// Makes a patient on the server with a home phone, as another client.
  @discardableResult
  package func serverPatient(_ id: String, family: String = "Ferrow", phone: String = "1") -> JSONValue {
    put([
      "resourceType": "Patient", "id": .string(id), "name": [["family": .string(family)]],
      "telecom": [["system": "phone", "use": "home", "value": .string(phone)]],
    ])
  }
}

extension JSONValue {
  /// The value of a patient's first telecom.
  package var phone: String? { self["telecom"]?[0]?["value"]?.string }
}
