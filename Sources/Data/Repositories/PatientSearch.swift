import Domain

extension StoreTransaction {
  /// From how many matches on a search walks the names in their order instead of sorting its matches.
  private static let broadMatch = 400

  /// The patients who have all the words, each as the beginning of one of theirs: whole words first, then by name; those
  /// who were replaced by another record last. Nothing in the words is an operator.
  ///
  /// Costs about the same however many match: few matches are sorted, many are met soon on a walk along the names.
  func patients(withTerms terms: [String], limit: Int, _ notes: inout ListNotes) throws(AppError) -> [PatientMatch] {
    let exact = terms.map { "\"\($0)\"" }.joined(separator: " ")
    let prefix = terms.map { "\"\($0)\"*" }.joined(separator: " ")
    var rows = try patientRows(matching: exact, limit: limit) { words in
      terms.allSatisfy { term in words.contains { $0 == term } }
    }
    if rows.count < limit {
      let found = Set(rows)
      rows += try patientRows(matching: prefix, limit: limit + rows.count) { words in
        terms.allSatisfy { term in words.contains { $0.hasPrefix(term) } }
      }.filter { !found.contains($0) }
    }
    return try matches(Array(rows.prefix(limit)), &notes)
  }

  private func patientRows(matching expression: String, limit: Int, _ matches: ([Substring]) -> Bool)
    throws(AppError) -> [Int64]
  {
    let few = try all(
      "SELECT rowid FROM patient_text WHERE patient_text MATCH ? LIMIT ?",
      [.text(expression), SQLValue(Self.broadMatch + 1)]
    ) { row throws(SQLiteError) in row.integer(0) }
    return few.count <= Self.broadMatch
      ? Array(try inOrder(few).prefix(limit)) : try walk(limit: limit, matches)
  }

  /// Rows by their patients' names.
  private func inOrder(_ rows: [Int64]) throws(AppError) -> [Int64] {
    var named: [(isReplaced: Bool, name: String, row: Int64)] = []
    for row in rows {
      let found = try first("SELECT sort_name, replaced_by FROM patient WHERE resource = ?", [.integer(row)]) {
        patient throws(SQLiteError) in (!patient.isNull(1), patient.text(0), row)
      }
      if let found { named.append(found) }
    }
    return named.sorted { a, b in
      if a.isReplaced != b.isReplaced { return b.isReplaced }
      return a.name == b.name ? a.row < b.row : a.name < b.name
    }.map(\.row)
  }

  /// The first rows along the names that match.
  private func walk(limit: Int, _ matches: ([Substring]) -> Bool) throws(AppError) -> [Int64] {
    var current: [Int64] = []
    var replaced: [Int64] = []
    var after: (name: String, row: Int64) = ("", 0)
    while current.count < limit {
      let batch = try all(
        """
        SELECT p.resource, p.sort_name, p.replaced_by, t.terms FROM patient p JOIN patient_text t ON t.rowid = p.resource
        WHERE (p.sort_name, p.resource) > (?, ?) ORDER BY p.sort_name, p.resource LIMIT 200
        """, [.text(after.name), .integer(after.row)]
      ) { row throws(SQLiteError) in
        (
          row: row.integer(0), name: row.text(1), isReplaced: !row.isNull(2),
          words: row.text(3).split(separator: " ")
        )
      }
      guard let last = batch.last else { break }
      after = (last.name, last.row)
      for patient in batch where matches(patient.words) {
        if patient.isReplaced { replaced.append(patient.row) } else { current.append(patient.row) }
      }
    }
    return Array((current + replaced).prefix(limit))
  }
}
