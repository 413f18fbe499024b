import Domain

extension ElementReader {
  func period(_ name: String) -> Period? {
    element(name).map { Period(start: $0.dateTime("start"), end: $0.dateTime("end")) }
  }

  func coding() -> Coding {
    Coding(
      system: string("system"), version: string("version"), code: string("code"), display: string("display"),
      userSelected: bool("userSelected"))
  }

  func concept() -> CodeableConcept {
    CodeableConcept(coding: elements("coding").map { $0.coding() }, text: string("text"))
  }

  func concept(_ name: String) -> CodeableConcept? { element(name)?.concept() }

  func concepts(_ name: String) -> [CodeableConcept] { elements(name).map { $0.concept() } }

  func identifier() -> Identifier {
    Identifier(
      use: code("use"), type: concept("type"), system: string("system"), value: string("value"),
      period: period("period"))
  }

  func identifiers() -> [Identifier] { elements("identifier").map { $0.identifier() } }

  func names() -> [HumanName] {
    elements("name").map {
      HumanName(
        use: $0.code("use"), text: $0.string("text"), family: $0.string("family"), given: $0.strings("given"),
        prefix: $0.strings("prefix"), suffix: $0.strings("suffix"), period: $0.period("period"),
        absentReason: $0.absentReason())
    }
  }

  func contactPoints() -> [ContactPoint] {
    elements("telecom").map {
      ContactPoint(
        system: $0.code("system"), value: $0.string("value"), use: $0.code("use"), rank: $0.integer("rank"),
        period: $0.period("period"), absentReason: $0.absentReason())
    }
  }

  func address() -> Address {
    Address(
      use: code("use"), type: code("type"), text: string("text"), line: strings("line"), city: string("city"),
      district: string("district"), state: string("state"), postalCode: string("postalCode"),
      country: string("country"), period: period("period"), absentReason: absentReason())
  }

  func reference<Target>() -> Reference<Target> {
    Reference(
      reference: string("reference"), type: string("type"), identifier: element("identifier")?.identifier(),
      display: string("display"))
  }

  func reference<Target>(_ name: String) -> Reference<Target>? { element(name)?.reference() }

  func references<Target>(_ name: String) -> [Reference<Target>] { elements(name).map { $0.reference() } }

  func quantity() -> Quantity {
    Quantity(
      value: decimal("value"), comparator: code("comparator"), unit: string("unit"), system: string("system"),
      code: string("code"))
  }

  func quantity(_ name: String) -> Quantity? { element(name)?.quantity() }

  func annotations(_ name: String) -> [Annotation] {
    elements(name).compactMap { note in
      guard let text = note.string("text") else {
        note.warn("text", "a note without text is left out")
        return nil
      }
      var author: Annotation.Author?
      switch note.choice("author", of: ["Reference", "String"]) {
      case "authorReference": author = note.reference("authorReference").map(Annotation.Author.reference)
      case "authorString": author = note.string("authorString").map(Annotation.Author.string)
      default: break
      }
      return Annotation(author: author, time: note.dateTime("time"), text: text)
    }
  }
}
