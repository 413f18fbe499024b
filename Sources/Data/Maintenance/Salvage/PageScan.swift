import Domain

/// Reads rows straight from the pages of a database file whose tables SQLite cannot find any more.
///
/// Every leaf of a table is read, wherever it hangs: also leaves that the database had given up, so that what is found may
/// be out of date. Source: sqlite.org/fileformat2.html, sections 1.6, 2.1 and 4.1.
struct PageScan {
  private let database: [UInt8]
  private let log: [UInt8]
  private let pageSize: Int
  /// Where the newest committed copy of a page stands in the log.
  private var logged: [Int: Int] = [:]

  /// - Parameter log: the write-ahead log; empty leaves it out.
  init?(database: [UInt8], log: [UInt8]) {
    func size(_ value: Int) -> Int? {
      let value = value == 1 ? 65_536 : value
      return (512...65_536).contains(value) && value & (value - 1) == 0 ? value : nil
    }
    let stored = database.count >= 100 ? Int(database[16]) << 8 | Int(database[17]) : 0
    let named = log.count >= 32 ? Int(Self.bigEndian(log, 8)) : 0
    guard database.count + log.count > 0 else { return nil }
    self.database = database
    self.log = log
    pageSize = size(named) ?? size(stored) ?? 4_096
    logged = committedPages()
  }

  /// All rows of tables with so many columns.
  func rows(columns: ClosedRange<Int>) -> [(rowID: Int64, values: [SQLValue])] {
    var rows: [(rowID: Int64, values: [SQLValue])] = []
    for number in 1...max(1, max(database.count / pageSize + 1, logged.keys.max() ?? 0)) {
      guard let page = page(number) else { continue }
      rows += leafRows(page, isFirst: number == 1, columns: columns)
    }
    return rows
  }

  // MARK: Pages

  private func page(_ number: Int) -> ArraySlice<UInt8>? {
    if let offset = logged[number] { return log[offset..<offset + pageSize] }
    let start = (number - 1) * pageSize
    guard number > 0, start < database.count, start + pageSize <= database.count else { return nil }
    return database[start..<start + pageSize]
  }

  private static func bigEndian(_ bytes: [UInt8], _ offset: Int) -> UInt32 {
    bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// Follows the log as SQLite does: as long as its salts and sums are right, and up to its last commit.
  private func committedPages() -> [Int: Int] {
    guard log.count >= 32, Self.bigEndian(log, 0) & ~1 == 0x377f_0682 else { return [:] }
    let isBig = Self.bigEndian(log, 0) & 1 == 1
    var sums: (UInt32, UInt32) = (0, 0)
    func add(_ range: Range<Int>) {
      for at in stride(from: range.lowerBound, to: range.upperBound, by: 8) {
        let (a, b) = (Self.bigEndian(log, at), Self.bigEndian(log, at + 4))
        sums.0 &+= (isBig ? a : a.byteSwapped) &+ sums.1
        sums.1 &+= (isBig ? b : b.byteSwapped) &+ sums.0
      }
    }
    add(0..<24)
    guard sums == (Self.bigEndian(log, 24), Self.bigEndian(log, 28)) else { return [:] }
    var committed: [Int: Int] = [:]
    var open: [Int: Int] = [:]
    var offset = 32
    while offset + 24 + pageSize <= log.count, log[offset + 8..<offset + 16] == log[16..<24] {
      add(offset..<offset + 8)
      add(offset + 24..<offset + 24 + pageSize)
      guard sums == (Self.bigEndian(log, offset + 16), Self.bigEndian(log, offset + 20)) else { break }
      open[Int(Self.bigEndian(log, offset))] = offset + 24
      if Self.bigEndian(log, offset + 4) != 0 {
        committed.merge(open) { $1 }
        open = [:]
      }
      offset += 24 + pageSize
    }
    return committed
  }

  // MARK: Cells

  private func leafRows(_ page: ArraySlice<UInt8>, isFirst: Bool, columns: ClosedRange<Int>) -> [(
    rowID: Int64, values: [SQLValue]
  )] {
    var reader = ByteReader(page)
    let header = isFirst ? 100 : 0
    guard reader.byte(at: header) == 13, let count = reader.short(at: header + 3) else { return [] }
    var rows: [(rowID: Int64, values: [SQLValue])] = []
    for index in 0..<min(count, pageSize / 4) {
      guard let offset = reader.short(at: header + 8 + 2 * index), offset >= header + 8 else { continue }
      reader.offset = offset
      guard let size = reader.varint(), let rowID = reader.varint(), size > 0, size < 64 << 20,
        let payload = payload(&reader, size: Int(size)), let values = Self.record(payload, columns: columns)
      else { continue }
      rows.append((rowID, values))
    }
    return rows
  }

  private func payload(_ reader: inout ByteReader, size: Int) -> [UInt8]? {
    let largest = pageSize - 35
    guard size > largest else { return reader.bytes(size) }
    let smallest = (pageSize - 12) * 32 / 255 - 23
    let fitting = smallest + (size - smallest) % (pageSize - 4)
    let local = fitting <= largest ? fitting : smallest
    guard var payload = reader.bytes(local), let first = reader.bytes(4) else { return nil }
    var next = Int(Self.bigEndian(first, 0))
    var visited: Set<Int> = []
    while payload.count < size {
      guard visited.insert(next).inserted, let page = page(next) else { return nil }
      var reader = ByteReader(page)
      guard let link = reader.bytes(4), let part = reader.bytes(min(size - payload.count, pageSize - 4)) else {
        return nil
      }
      payload += part
      next = Int(Self.bigEndian(link, 0))
    }
    return payload
  }

  /// Reads a record; `nil` when it has another number of columns, or is no record.
  private static func record(_ payload: [UInt8], columns: ClosedRange<Int>) -> [SQLValue]? {
    var reader = ByteReader(payload[...])
    guard let length = reader.varint(), length > 0, length <= Int64(payload.count) else { return nil }
    var types: [Int64] = []
    while reader.offset < Int(length), types.count <= columns.upperBound {
      guard let type = reader.varint() else { return nil }
      types.append(type)
    }
    guard columns.contains(types.count), reader.offset == Int(length) else { return nil }
    var values: [SQLValue] = []
    for type in types {
      guard let value = reader.value(type) else { return nil }
      values.append(value)
    }
    return values
  }
}

/// Bytes, read one after the other and never past their end.
private struct ByteReader {
  private let bytes: ArraySlice<UInt8>
  var offset = 0

  init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

  func byte(at offset: Int) -> UInt8? {
    offset >= 0 && offset < bytes.count ? bytes[bytes.startIndex + offset] : nil
  }

  func short(at offset: Int) -> Int? {
    guard let high = byte(at: offset), let low = byte(at: offset + 1) else { return nil }
    return Int(high) << 8 | Int(low)
  }

  mutating func bytes(_ count: Int) -> [UInt8]? {
    guard count >= 0, count <= bytes.count - offset, offset >= 0 else { return nil }
    defer { offset += count }
    return Array(bytes[bytes.startIndex + offset..<bytes.startIndex + offset + count])
  }

  /// Up to nine bytes, big end first; the ninth counts whole.
  mutating func varint() -> Int64? {
    var value: UInt64 = 0
    for index in 1...9 {
      guard let byte = byte(at: offset) else { return nil }
      offset += 1
      if index == 9 { return Int64(bitPattern: value << 8 | UInt64(byte)) }
      value = value << 7 | UInt64(byte & 0x7f)
      if byte & 0x80 == 0 { break }
    }
    return Int64(bitPattern: value)
  }

  /// A value of a serial type.
  mutating func value(_ type: Int64) -> SQLValue? {
    switch type {
    case 0: return .null
    case 1...6:
      let count = [1, 2, 3, 4, 6, 8][Int(type) - 1]
      guard let bytes = bytes(count) else { return nil }
      let start: Int64 = bytes[0] & 0x80 == 0 ? 0 : -1
      return .integer(bytes.reduce(start) { $0 << 8 | Int64($1) })
    case 8: return .integer(0)
    case 9: return .integer(1)
    case 12...:
      guard type < 256 << 20, let bytes = bytes(Int(type - 12) / 2) else { return nil }
      return type % 2 == 0 ? .blob(bytes) : .text(String(decoding: bytes, as: UTF8.self))
    default: return nil
    }
  }
}
