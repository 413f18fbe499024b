package import Domain
package import JSON

extension ResourceDecoder {
  package static func schedule(_ document: JSONValue, warnings: inout [String]) -> Schedule? {
    read(document, ResourceElements.schedule, &warnings) { id, reader in
      Schedule(
        id: id, identifier: reader.identifiers(), active: reader.bool("active"),
        serviceType: reader.concepts("serviceType"), actor: reader.references("actor"),
        planningHorizon: reader.period("planningHorizon"), comment: reader.string("comment"))
    }
  }

  package static func slot(_ document: JSONValue, warnings: inout [String]) -> Slot? {
    read(document, ResourceElements.slot, &warnings) { id, reader in
      Slot(
        id: id, status: reader.code("status"), schedule: reader.reference("schedule"), start: reader.instant("start"),
        end: reader.instant("end"), overbooked: reader.bool("overbooked"), comment: reader.string("comment"))
    }
  }
}
