/// The Unified Code for Units of Measure, as FHIR uses it (ucum.org).
public enum UCUM {
  /// The system's URI.
  public static let system = "http://unitsofmeasure.org"
  /// Per minute: pulse and respiration.
  public static let perMinute = "/min"
  /// Millimetres of mercury: blood pressure.
  public static let millimetresOfMercury = "mm[Hg]"
  /// Degrees Celsius.
  public static let celsius = "Cel"
  /// Degrees Fahrenheit.
  public static let fahrenheit = "[degF]"
  /// Per cent.
  public static let percent = "%"
  /// Kilograms.
  public static let kilogram = "kg"
  /// Centimetres.
  public static let centimetre = "cm"
}
