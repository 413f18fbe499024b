import Domain

extension ResourceDecoder {
  /// The types that R4 allows for an observation's `value[x]`.
  static let valueTypes = [
    "Quantity", "CodeableConcept", "String", "Boolean", "Integer", "Range", "Ratio", "SampledData", "Time", "DateTime",
    "Period",
  ]

  static func deceased(_ reader: ElementReader) -> Patient.Deceased? {
    switch reader.choice("deceased", of: ["Boolean", "DateTime"]) {
    case "deceasedBoolean": reader.bool("deceasedBoolean").map(Patient.Deceased.boolean)
    case "deceasedDateTime": reader.dateTime("deceasedDateTime").map(Patient.Deceased.dateTime)
    default: nil
    }
  }

  static func links(_ reader: ElementReader) -> [Patient.Link] {
    reader.elements("link").compactMap { link in
      guard let type: OpenCode<Patient.LinkType> = link.code("type") else {
        link.warn("type", "a link without a type is left out")
        return nil
      }
      return Patient.Link(other: link.reference("other") ?? Reference(), type: type)
    }
  }

  static func effective(_ reader: ElementReader) -> ClinicalObservation.Effective? {
    switch reader.choice("effective", of: ["DateTime", "Period", "Instant", "Timing"]) {
    case "effectiveDateTime": reader.dateTime("effectiveDateTime").map(ClinicalObservation.Effective.dateTime)
    case "effectivePeriod": reader.period("effectivePeriod").map(ClinicalObservation.Effective.period)
    case "effectiveInstant": reader.instant("effectiveInstant").map(ClinicalObservation.Effective.instant)
    case let name?: .other(name)
    case nil: nil
    }
  }

  static func value(_ reader: ElementReader) -> ClinicalObservation.Value? {
    switch reader.choice("value", of: valueTypes) {
    case "valueQuantity": reader.quantity("valueQuantity").map(ClinicalObservation.Value.quantity)
    case "valueCodeableConcept":
      reader.concept("valueCodeableConcept").map(ClinicalObservation.Value.codeableConcept)
    case "valueString": reader.string("valueString").map(ClinicalObservation.Value.string)
    case "valueBoolean": reader.bool("valueBoolean").map(ClinicalObservation.Value.boolean)
    case "valueInteger": reader.integer("valueInteger").map(ClinicalObservation.Value.integer)
    case "valueTime": reader.string("valueTime").map(ClinicalObservation.Value.time)
    case "valueDateTime": reader.dateTime("valueDateTime").map(ClinicalObservation.Value.dateTime)
    case "valuePeriod": reader.period("valuePeriod").map(ClinicalObservation.Value.period)
    case let name?: .other(name)
    case nil: nil
    }
  }

  static func ranges(_ reader: ElementReader) -> [ClinicalObservation.ReferenceRange] {
    reader.elements("referenceRange").map {
      ClinicalObservation.ReferenceRange(
        low: $0.quantity("low"), high: $0.quantity("high"), type: $0.concept("type"), text: $0.string("text"))
    }
  }
}
