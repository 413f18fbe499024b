import Domain

extension StoreTransaction {
  /// From how many matches on a search walks the names in their order instead of sorting its matches.
  private static let broadMatch = 400

  /// How many names a walk looks at before it is given up.
  private static let longestWalk = 600

  /// How many matches are sorted when a walk was given up.
  private static let lateMatch = 500

  /// The patients who answer a question: whole words first, then by name; those who were replaced by another record last.
  ///
  /// Costs about the same however many match: few matches are sorted, many are met soon on a walk along the names, and
  /// where they stand late in that order, some of them are sorted.
  ///
  /// - Parameter found: whom the server named: they come after those who are found here.
  func patients(
    answering question: SearchQuestion, limit: Int, alsoFound found: [ResourceKey], _ notes: inout ListNotes
  )
    throws(AppError) -> [PatientMatch]
  {
    var rows = try patientRows(answering: question, limit: limit, whole: true)
    if rows.count < limit {
      let whole = Set(rows)
      rows += try patientRows(answering: question, limit: limit + rows.count, whole: false).filter {
        !whole.contains($0)
      }
    }
    let here = Set(rows)
    var remote: Set<Int64> = []
    for key in found {
      guard let record = try resource(key), record.isVisible, !here.contains(record.rowID) else { continue }
      if remote.insert(record.rowID).inserted { rows.append(record.rowID) }
    }
    var matches: [PatientMatch] = []
    for row in rows.prefix(limit) {
      guard var match = try self.matches([row], &notes).first else { continue }
      match.reasons = question.reasons(for: match.patient, now: now)
      if remote.contains(row) { match.reasons.append(.server) }
      matches.append(match)
    }
    return matches
  }

  private func patientRows(answering question: SearchQuestion, limit: Int, whole: Bool) throws(AppError) -> [Int64] {
    func matching(_ count: Int) throws(AppError) -> [Int64] {
      try all(
        "SELECT rowid FROM patient_text WHERE patient_text MATCH ? LIMIT ?",
        [.text(question.expression(whole: whole)), SQLValue(count)]
      ) { row throws(SQLiteError) in row.integer(0) }
    }
    let few = try matching(Self.broadMatch + 1)
    if few.count > Self.broadMatch {
      if let met = try walk(limit: limit, { question.isAnswered(by: $0, whole: whole) }) { return met }
      return Array(try inOrder(try matching(Self.lateMatch)).prefix(limit))
    }
    return Array(try inOrder(few).prefix(limit))
  }

  /// The patients who may be the person of a registration, most likely first.
  func candidates(for registration: Patient) throws(AppError) -> [PatientCandidate] {
    var rows: [Int64] = []
    for identifier in registration.identifier {
      guard let value = identifier.value else { continue }
      rows += try all(
        "SELECT resource FROM identifier WHERE type = 'Patient' AND value = ?",
        [.text(TextFolding.tokens(value).joined())]
      ) { row throws(SQLiteError) in row.integer(0) }
    }
    for expression in Self.likenesses(of: registration) {
      rows += try all(
        "SELECT rowid FROM patient_text WHERE patient_text MATCH ? LIMIT ?",
        [.text(expression), SQLValue(Self.broadMatch)]
      ) { row throws(SQLiteError) in row.integer(0) }
    }
    var notes = ListNotes()
    return try matches(Set(rows).sorted(), &notes).map(\.patient)
      .filter { $0.id != registration.id && !$0.isReplaced }
      .map { PatientCandidate(patient: $0, match: RegistrationMatch(registration, $0)) }
      .filter { $0.match.likelihood != .unlikely }
      .sorted { ($1.match.score, $0.patient.id.rawValue) < ($0.match.score, $1.patient.id.rawValue) }
  }

  /// Questions that find everyone who shares two of: family name, given name, birth date; or a phone number.
  private static func likenesses(of patient: Patient) -> [String] {
    func anyOf(_ texts: [String]) -> String? {
      let words = texts.map(TextFolding.tokens).filter { !$0.isEmpty }
        .map { "(" + $0.map { "\"\($0)\"" }.joined(separator: " AND ") + ")" }
      return words.isEmpty ? nil : "(" + words.joined(separator: " OR ") + ")"
    }
    let family = anyOf(patient.name.compactMap { $0.family?.nonBlank })
    let given = anyOf(patient.name.flatMap(\.given))
    // A date that is known in part fits all that go on from it.
    let birth = patient.birthDate.value.map { "\"\(BirthDateText.digits($0))\"*" }
    let numbers = patient.telecom.map(\.digits).filter { $0.count >= 6 }.map { "\"\($0)\"" }
    return [[family, birth], [given, birth], [family, given]].compactMap { pair in
      let both = pair.compactMap(\.self)
      return both.count == 2 ? both.joined(separator: " AND ") : nil
    } + numbers
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

  /// The first rows along the names that match; `nil` when they stand too late in that order.
  private func walk(limit: Int, _ matches: ([Substring]) -> Bool) throws(AppError) -> [Int64]? {
    var current: [Int64] = []
    var replaced: [Int64] = []
    var after: (name: String, row: Int64) = ("", 0)
    var walked = 0
    while current.count < limit {
      guard walked < Self.longestWalk else { return nil }
      // The index's own table of texts (sqlite.org/fts5.html, section 9) gives a row in a tenth of the time that the
      // index takes, and CROSS JOIN keeps the order: SQLite would read and sort all texts first.
      let batch = try all(
        """
        SELECT p.resource, p.sort_name, p.replaced_by, t.c0
        FROM patient p CROSS JOIN patient_text_content t ON t.id = p.resource
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
      walked += batch.count
      for patient in batch where matches(patient.words) {
        if patient.isReplaced { replaced.append(patient.row) } else { current.append(patient.row) }
      }
    }
    return Array((current + replaced).prefix(limit))
  }
}
