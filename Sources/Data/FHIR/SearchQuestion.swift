package import Domain

/// What was typed to find someone: words that all have to be found, each in one of its readings.
package struct SearchQuestion: Hashable, Sendable {
  /// One word as it was typed, with what it may mean: any of these, of which all parts have to be found.
  package struct Word: Hashable, Sendable {
    package var readings: [[String]]
  }

  /// In the order of typing.
  package var words: [Word] = []
  /// The dates among what was typed, one for each word that may be one, with its readings.
  package var dates: [[PartialDate]] = []

  /// Reads what was typed. Nothing in it is an operator.
  package init(_ text: String) {
    for part in text.split(whereSeparator: \.isWhitespace).map(String.init) {
      let tokens = TextFolding.tokens(part)
      let dates = BirthDateText.readings(part)
      if dates.isEmpty {
        words += tokens.map { Word(readings: [[$0]]) }
      } else {
        self.dates.append(dates)
        words.append(Word(readings: dates.map { [BirthDateText.digits($0)] } + [tokens]))
      }
    }
    var seen: Set<Word> = []
    words = words.filter { seen.insert($0).inserted }
  }

  /// Whether nothing was asked for. Then nothing is found.
  package var isEmpty: Bool { words.isEmpty }

  /// The question for the full-text index.
  ///
  /// - Parameter whole: whether only whole words count, not beginnings.
  package func expression(whole: Bool) -> String {
    words.map { word in
      let readings = word.readings.map { parts in
        "(" + parts.map { "\"\($0)\"" + (whole ? "" : "*") }.joined(separator: " AND ") + ")"
      }
      return "(" + readings.joined(separator: " OR ") + ")"
    }.joined(separator: " AND ")
  }

  /// Whether words answer the question.
  package func isAnswered(by terms: [some StringProtocol], whole: Bool) -> Bool {
    words.allSatisfy { $0.isFound(in: terms, whole: whole) }
  }
}

extension SearchQuestion.Word {
  /// Whether the word is found, in any of its readings.
  package func isFound(in terms: [some StringProtocol], whole: Bool) -> Bool {
    readings.contains { parts in
      parts.allSatisfy { part in terms.contains { whole ? $0 == part : $0.hasPrefix(part) } }
    }
  }
}

extension SearchQuestion {
  /// By what, beside the name that is shown, a patient was found.
  func reasons(for patient: Patient, now: Instant) -> [PatientMatch.Reason] {
    let shown = patient.name.preferred
    let shownWords = SearchText.names([shown].compactMap(\.self))
    var reasons: [PatientMatch.Reason] = []
    for word in words where !word.isFound(in: shownWords, whole: false) {
      guard let reason = reason(for: word, in: patient, shown: shown, now: now), !reasons.contains(reason) else {
        continue
      }
      reasons.append(reason)
    }
    return reasons
  }

  private func reason(for word: Word, in patient: Patient, shown: HumanName?, now: Instant) -> PatientMatch.Reason? {
    for name in patient.name where name != shown && word.isFound(in: SearchText.names([name]), whole: false) {
      guard let text = name.displayText else { continue }
      let isOver = name.period?.end.map { $0.sortBounds(in: .utc).upperBound < now } ?? false
      return name.isFormer || isOver ? .formerName(text) : .otherName(text)
    }
    if let date = patient.birthDate.value, word.isFound(in: [BirthDateText.digits(date)], whole: false) {
      return .birthDate(date)
    }
    for identifier in patient.identifier where word.isFound(in: SearchText.identifiers([identifier]), whole: false) {
      if let text = identifier.displayText { return .identifier(text) }
    }
    for point in patient.telecom where word.isFound(in: SearchText.contact(point), whole: false) {
      if let text = point.displayText { return .contact(text) }
    }
    return nil
  }
}
