package import Domain
package import JSON

/// The whole document of a resource after an edit of its model: differs from the document before in that edit only.
package enum ResourceEdit {
  package static func document(_ document: JSONValue, from old: Patient, to new: Patient) -> JSONValue {
    apply(ResourceProjection.encode(old), ResourceProjection.encode(new), document)
  }

  package static func document(_ document: JSONValue, from old: Practitioner, to new: Practitioner) -> JSONValue {
    apply(ResourceProjection.encode(old), ResourceProjection.encode(new), document)
  }

  package static func document(_ document: JSONValue, from old: Location, to new: Location) -> JSONValue {
    apply(ResourceProjection.encode(old), ResourceProjection.encode(new), document)
  }

  package static func document(_ document: JSONValue, from old: Appointment, to new: Appointment) -> JSONValue {
    apply(ResourceProjection.encode(old), ResourceProjection.encode(new), document)
  }

  package static func document(
    _ document: JSONValue, from old: ClinicalObservation, to new: ClinicalObservation
  ) -> JSONValue {
    apply(ResourceProjection.encode(old), ResourceProjection.encode(new), document)
  }

  /// The document after an edit that leads from one projection of it to another.
  package static func document(_ document: JSONValue, fromProjection old: JSONValue, to new: JSONValue) -> JSONValue {
    apply(old, new, document)
  }

  private static func apply(_ old: JSONValue, _ new: JSONValue, _ document: JSONValue) -> JSONValue {
    ProjectionOverlay.apply(from: old, to: new, onto: document)
  }
}
