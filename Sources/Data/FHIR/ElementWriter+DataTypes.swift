import Domain
import JSON

extension ElementWriter {
  /// Writes one object by a closure; `nil` when it stays empty.
  static func object(_ write: (inout ElementWriter) -> Void) -> JSONValue? {
    var writer = ElementWriter()
    write(&writer)
    return writer.value
  }

  static func period(_ period: Period) -> JSONValue? {
    object {
      $0.set("start", period.start?.description)
      $0.set("end", period.end?.description)
    }
  }

  static func coding(_ coding: Coding) -> JSONValue? {
    object {
      $0.set("system", coding.system)
      $0.set("version", coding.version)
      $0.set("code", coding.code)
      $0.set("display", coding.display)
      $0.set("userSelected", coding.userSelected)
    }
  }

  static func concept(_ concept: CodeableConcept) -> JSONValue? {
    object {
      $0.set("coding", concept.coding, coding)
      $0.set("text", concept.text)
    }
  }

  static func identifier(_ identifier: Identifier) -> JSONValue? {
    object {
      $0.set("use", identifier.use)
      $0.set("type", identifier.type.flatMap(concept))
      $0.set("system", identifier.system)
      $0.set("value", identifier.value)
      $0.set("period", identifier.period.flatMap(period))
    }
  }

  static func name(_ name: HumanName) -> JSONValue? {
    object {
      $0.set("use", name.use)
      $0.set("text", name.text)
      $0.set("family", name.family)
      $0.set("given", name.given)
      $0.set("prefix", name.prefix)
      $0.set("suffix", name.suffix)
      $0.set("period", name.period.flatMap(period))
    }
  }

  static func contactPoint(_ point: ContactPoint) -> JSONValue? {
    object {
      $0.set("system", point.system)
      $0.set("value", point.value)
      $0.set("use", point.use)
      $0.set("rank", point.rank)
      $0.set("period", point.period.flatMap(period))
    }
  }

  static func address(_ address: Address) -> JSONValue? {
    object {
      $0.set("use", address.use)
      $0.set("type", address.type)
      $0.set("text", address.text)
      $0.set("line", address.line)
      $0.set("city", address.city)
      $0.set("district", address.district)
      $0.set("state", address.state)
      $0.set("postalCode", address.postalCode)
      $0.set("country", address.country)
      $0.set("period", address.period.flatMap(period))
    }
  }

  static func reference<Target>(_ reference: Reference<Target>) -> JSONValue? {
    object {
      $0.set("reference", reference.reference)
      $0.set("type", reference.type)
      $0.set("identifier", reference.identifier.flatMap(identifier))
      $0.set("display", reference.display)
    }
  }

  static func quantity(_ quantity: Quantity) -> JSONValue? {
    object {
      $0.set("value", quantity.value)
      $0.set("comparator", quantity.comparator)
      $0.set("unit", quantity.unit)
      $0.set("system", quantity.system)
      $0.set("code", quantity.code)
    }
  }

  static func annotation(_ note: Annotation) -> JSONValue? {
    object {
      switch note.author {
      case .reference(let author): $0.set("authorReference", reference(author))
      case .string(let author): $0.set("authorString", author)
      case nil: break
      }
      $0.set("time", note.time?.description)
      $0.set("text", note.text)
    }
  }

  /// Writes a date, or the reason why it is withheld in the primitive's extension.
  mutating func set(_ name: String, _ recorded: Recorded<PartialDate>) {
    switch recorded {
    case .value(let date):
      set(name, date.description)
    case .absent(let reason):
      set(
        "_" + name,
        [
          "extension": [
            ["url": .string(FHIRExtension.dataAbsentReason), "valueCode": .string(reason.rawValue)]
          ]
        ])
    case .notRecorded:
      break
    }
  }
}
