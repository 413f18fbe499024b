import Domain
import Testing

@Suite("Converting a vital sign")
struct ConversionTests {
  @Test(
    "claims no more precision than what was written",
    arguments: [
      (VitalSign.temperature, "98.6", "f", "37.0"), (.temperature, "98.60", "f", "37.00"),
      (.temperature, "31", "f", "-1"),
      (.weight, "160", "lb", "73"), (.weight, "160.0", "lb", "72.6"), (.weight, "3500", "g", "3.500"),
      (.weight, "72.50", "kg", "72.50"), (.height, "1.80", "m", "180"), (.height, "1.8", "m", "180"),
      (.height, "70.5", "in", "179"), (.pulse, "72", "", "72"),
    ])
  func precision(sign: VitalSign, written: String, unit: String, expected: String) throws {
    let value = try #require(PreciseDecimal(written))
    let unit = try #require(sign.unit(spelled: unit))
    #expect(sign.converted(value, from: unit)?.text == expected)
  }

  @Test("is refused for a unit of another sign")
  func foreign() throws {
    let unit = try #require(VitalSign.weight.unit(spelled: "lb"))
    #expect(VitalSign.height.converted(PreciseDecimal(1), from: unit) == nil)
  }
}
