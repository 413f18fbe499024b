import Domain
import Foundation
import JSON

/// What was saved of a damaged store, and how sure it is.
struct SalvagedStore {
  var rows: SalvagedRows
  /// Entries of which it is not known whether the server has them: they come from pages that may be out of date.
  var doubtful: Set<String> = []

  /// Reads copies of a store's files.
  ///
  /// - Parameters:
  ///   - path: the database, with its log beside it.
  ///   - isWhole: whether database and log are known to belong together, and to be the newest.
  static func read(_ path: String, isWhole: Bool) -> SalvagedStore {
    var salvaged = SalvagedStore(rows: SalvageReader.read(path))
    let isTorn = salvaged.rows.torn.contains("outbox") || salvaged.rows.torn.contains("journal")
    if !isWhole || isTorn {
      salvaged.doubtful = Set(salvaged.rows.rows("outbox").compactMap { $0["entry"]?.text })
      salvaged.addScanned(path)
    }
    return salvaged
  }

  /// Adds what the pages hold and SQLite could not find. Freed pages are among them: what the journal or the audit calls
  /// settled is left out, and the rest is doubtful.
  private mutating func addScanned(_ path: String) {
    func bytes(_ path: String) -> [UInt8] {
      (try? Foundation.Data(contentsOf: URL(fileURLWithPath: path))).map(Array.init) ?? []
    }
    let (database, log) = (bytes(path), bytes(path + "-wal"))
    let scans = [PageScan(database: database, log: log), PageScan(database: database, log: [])].compactMap(\.self)
    var settled = Set(rows.rows("journal").compactMap { $0["entry"]?.text })
    for scan in scans {
      for (serial, values) in scan.rows(columns: Self.firstJournalColumns...Self.journalColumns.count) {
        let row = Self.row(Self.journalColumns, serial, values)
        guard let entry = row["entry"]?.text, row["outcome"]?.text != nil, Self.isKind(row["kind"]) else { continue }
        if settled.insert(entry).inserted { rows.tables["journal", default: []].append(row) }
      }
    }
    var known = Set(rows.rows("outbox").compactMap { $0["entry"]?.text })
    for scan in scans {
      for (number, values) in scan.rows(columns: Self.firstOutboxColumns...Self.outboxColumns.count) {
        let row = Self.row(Self.outboxColumns, number, values)
        guard let entry = row["entry"]?.text, Self.isKind(row["kind"]), row["state"]?.text != nil,
          known.insert(entry).inserted
        else { continue }
        rows.tables["outbox", default: []].append(row)
        doubtful.insert(entry)
      }
    }
    rows.tables["outbox"] = rows.rows("outbox").filter { !settled.contains($0["entry"]?.text ?? "") }
  }

  private static func isKind(_ value: SQLValue?) -> Bool {
    value?.text.flatMap(OutboxItem.Kind.init(rawValue:)) != nil
  }

  /// The row id stands for the first column.
  private static func row(_ columns: [String], _ rowID: Int64, _ values: [SQLValue]) -> SalvagedRows.Row {
    var row = SalvagedRows.Row(uniqueKeysWithValues: zip(columns, values))
    row[columns[0]] = .integer(rowID)
    return row
  }

  /// How many columns the tables had in the first schema: older rows end where later columns were added.
  static let firstOutboxColumns = 27
  static let firstJournalColumns = 10
  /// The columns as the schema has them, in order: pages do not name theirs.
  static let outboxColumns = [
    "number", "entry", "action", "issuer", "subject", "practitioner", "type", "id", "kind", "patch", "base_version",
    "state", "reason", "summary", "written", "attempts", "not_before", "ambiguous_since", "sent", "refused_version",
    "alone", "attempt", "strategy", "method", "target", "headers", "body", "compared",
  ]
  static let journalColumns = [
    "serial", "number", "entry", "type", "id", "kind", "outcome", "attempt", "version", "settled", "action",
    "summary",
  ]
}

extension SQLValue {
  /// The text; `nil` for anything else.
  var text: String? { if case .text(let text) = self { text } else { nil } }
  /// The integer; `nil` for anything else.
  var integer: Int64? { if case .integer(let integer) = self { integer } else { nil } }
  /// The bytes; `nil` for anything else.
  var bytes: [UInt8]? { if case .blob(let bytes) = self { bytes } else { nil } }
}
