@testable import Data
import Domain
import Foundation
import JSON
import TestSupport

/// A clinic whose server answers page by page, as a test writes them.
enum PagedServer {
  typealias Page = @Sendable (String) -> HTTPResponse?

  /// A clinic whose server answers questions about patients by `page`; all else is empty, and metadata is unknown.
  static func open(history: Bool = false, orders: Bool = true, _ page: @escaping Page) async throws -> (
    ClinicData, ScriptedTransport, VirtualWorld
  ) {
    let transport = ScriptedTransport(script(history: history, orders: orders, page))
    let world = VirtualWorld()
    let directory = FileManager.default.temporaryDirectory.path + "/clinic-pull-\(UUID().uuidString)"
    let data = try await ClinicData.open(
      ClinicData.Configuration(directory: directory, server: ModelTransport.base, author: .operatingSystemUser("nora")),
      effects: world.effects, transport: transport)
    return (data, transport, world)
  }

  /// - Parameter orders: whether it shows that it orders by time.
  static func script(history: Bool, orders: Bool = true, _ page: @escaping Page) -> ScriptedTransport.Script {
    { method, target in
      if target == "metadata" {
        guard history else { return .answer(404) }
        return .document([
          "resourceType": "CapabilityStatement", "fhirVersion": "4.0.1", "kind": "instance", "status": "active",
          "rest": [
            [
              "mode": "server",
              "resource": [["type": "Patient", "interaction": [["code": "read"], ["code": "history-type"]]]],
            ]
          ],
        ])
      }
      if orders, target.hasSuffix("_count=1") {
        return .page([target.contains("_sort=-") ? patient("newest", 59) : patient("oldest", 0)])
      }
      return page(target) ?? .page([])
    }
  }

  static func sync(_ data: ClinicData) async throws -> SyncReport {
    try await data.sync.sync(SyncOptions(), progress: { _ in })
  }

  static func patient(_ id: String, _ second: Int, version: String = "1", phone: String = "1") -> JSONValue {
    [
      "resource": [
        "resourceType": "Patient", "id": .string(id),
        "meta": [
          "versionId": .string(version), "lastUpdated": .string("2026-11-30T09:00:\(second / 10)\(second % 10)Z"),
        ],
        "telecom": [["system": "phone", "use": "home", "value": .string(phone)]],
      ], "search": ["mode": "match"],
    ]
  }

  static func known(_ data: ClinicData) async throws -> [String: String] {
    try await data.store.read { transaction throws(AppError) in
      let ids = try transaction.all("SELECT id FROM resource WHERE type = 'Patient' AND visible = 1 ORDER BY id") {
        row throws(SQLiteError) in row.text(0)
      }
      var found: [String: String] = [:]
      for id in ids { found[id] = try transaction.resource(ResourceKey(type: "Patient", id: id))?.view?.phone ?? "-" }
      return found
    }
  }

  static func scope(_ data: ClinicData) async throws -> ScopeRecord {
    try await data.store.read { transaction throws(AppError) in try transaction.scope(.whole("Patient")) }
  }

  static func history(_ id: String, _ second: Int, version: String, deleted: Bool = false) -> JSONValue {
    var entry: JSONValue =
      deleted
      ? ["request": ["method": "DELETE", "url": .string("Patient/\(id)")]]
      : [
        "resource": patient(id, second, version: version, phone: version)["resource"] ?? .null,
        "request": ["method": "PUT", "url": .string("Patient/\(id)")],
      ]
    entry["response"] = ["status": "200", "lastModified": .string("2026-11-30T09:00:\(second / 10)\(second % 10)Z")]
    return entry
  }
}
