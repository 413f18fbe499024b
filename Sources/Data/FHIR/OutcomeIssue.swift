/// One issue of an OperationOutcome (hl7.org/fhir/R4/operationoutcome.html).
package struct OutcomeIssue: Hashable, Sendable {
  /// `fatal`, `error`, `warning` or `information`, as written.
  package var severity: String?
  /// The kind of issue, from FHIR's issue types, as written.
  package var code: String?
  /// What is wrong, for people.
  package var details: String?
  /// More, for those who run the server.
  package var diagnostics: String?
  /// The elements that are meant: FHIRPath expressions, else the older locations.
  package var expression: [String]

  /// Whether the server says that the same request may succeed later.
  package var invitesRetry: Bool {
    ["transient", "lock-error", "timeout", "throttled"].contains(code)
  }

  /// Whether this reports a failure, as opposed to a warning or a remark.
  package var isError: Bool { severity == "error" || severity == "fatal" }

  /// The issue on one line, such as `error: birthDate is in the future (value, at Patient.birthDate)`.
  package var text: String {
    let message = [details, diagnostics].compactMap { $0.map(CleanText.line) }.first { !$0.isEmpty }
    let place = expression.isEmpty ? nil : "at " + expression.map(CleanText.line).joined(separator: ", ")
    let code = code.map(CleanText.line)
    let notes = [message == nil ? nil : code, place].compactMap(\.self).joined(separator: ", ")
    let head = [severity.map(CleanText.line), message ?? code].compactMap(\.self).joined(separator: ": ")
    return (notes.isEmpty ? head : "\(head) (\(notes))")
  }
}
