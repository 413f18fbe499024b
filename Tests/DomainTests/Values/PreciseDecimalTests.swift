import Domain
import Foundation
import Testing

@Suite("Decimals keep their spelling and compare exactly")
struct PreciseDecimalTests {
  @Test(
    "Numbers compare by value, whatever their spelling",
    arguments: [
      ("1.50", "1.5", ComparisonResult.orderedSame), ("120", "1.2E+2", .orderedSame), ("0.0", "-0", .orderedSame),
      ("0.1", "1e-1", .orderedSame), ("72.50", "72.51", .orderedAscending), ("-2", "-1", .orderedAscending),
      ("-1", "0", .orderedAscending), ("9", "10", .orderedAscending), ("0.0100", "0.01", .orderedSame),
      ("12345678901234567890.10", "12345678901234567890.11", .orderedAscending), ("1", "-1", .orderedDescending),
      ("1e400", "1e401", .orderedAscending), ("0.09", "0.1", .orderedAscending), ("12", "1.2", .orderedDescending),
    ])
  func compares(left: String, right: String, order: ComparisonResult) throws {
    let left = try #require(PreciseDecimal(left))
    let right = try #require(PreciseDecimal(right))
    #expect(left.compare(to: right) == order)
    #expect(right.compare(to: left).rawValue == -order.rawValue)
  }

  @Test("Equality is by spelling")
  func keepsSpelling() {
    #expect(PreciseDecimal("1.50") != PreciseDecimal("1.5"))
    #expect(PreciseDecimal("1.2E+2")?.description == "1.2E+2")
  }

  @Test(
    "What is no number of JSON is refused",
    arguments: [
      "", "-", "01", "1.", ".5", "+1", "1e", "1e+", "NaN", "0x1", "1 ", "1,5", "1e1234567", "１",
    ])
  func refuses(text: String) {
    #expect(PreciseDecimal(text) == nil)
  }

  @Test(
    "A quantity shows its number as written",
    arguments: [
      (Quantity(value: PreciseDecimal("72.50"), unit: "kg"), "72.50 kg"),
      (Quantity(value: PreciseDecimal("5"), comparator: .known(.less), code: "mg/dL"), "<5 mg/dL"),
      (Quantity(value: PreciseDecimal("7")), "7"), (Quantity(unit: "kg"), nil),
    ])
  func showsQuantity(quantity: Quantity, text: String?) {
    #expect(quantity.displayText == text)
  }
}
