package import JSON

/// Reads what a server says about a request.
package enum OperationOutcomeReader {
  /// The issues of an OperationOutcome; `nil` when the document is something else.
  package static func issues(in document: JSONValue) -> [OutcomeIssue]? {
    guard document["resourceType"]?.string == "OperationOutcome" else { return nil }
    return (document["issue"]?.array ?? []).compactMap { issue in
      guard issue.object != nil else { return nil }
      let details = issue["details"]
      let display = (details?["coding"]?.array ?? []).compactMap { $0["display"]?.string }.first
      let expression = texts(issue["expression"])
      return OutcomeIssue(
        severity: issue["severity"]?.string, code: issue["code"]?.string,
        details: details?["text"]?.string ?? display, diagnostics: issue["diagnostics"]?.string,
        expression: expression.isEmpty ? texts(issue["location"]) : expression)
    }
  }

  /// The issues as one short clean text, errors first; `nil` when the document is no OperationOutcome or says nothing.
  ///
  /// - Parameter limit: the largest number of characters.
  package static func text(of document: JSONValue, limit: Int = 400) -> String? {
    guard let issues = issues(in: document) else { return nil }
    let lines = (issues.filter(\.isError) + issues.filter { !$0.isError }).map(\.text).filter { !$0.isEmpty }
    return lines.isEmpty ? nil : CleanText.bounded(lines.joined(separator: "; "), limit: limit)
  }

  private static func texts(_ value: JSONValue?) -> [String] {
    (value?.array ?? []).compactMap(\.string)
  }
}
