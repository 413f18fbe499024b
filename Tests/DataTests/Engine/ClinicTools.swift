@testable import Data
import Domain
import JSON
import TestSupport

extension TestClinic {
  /// Books an appointment of half an hour.
  @discardableResult
  func book(_ patient: Patient.ID) async throws -> WriteReceipt {
    let start = Instant(milliseconds: world.now + 86_400_000)
    return try await data.appointments.book(
      Appointment(
        id: "", status: .known(.booked), start: start, end: Instant(milliseconds: start.milliseconds + 1_800_000),
        participant: [Appointment.Participant(actor: Reference(patient.key), status: .known(.accepted))]),
      allowingOverlap: true)
  }

  /// A patient whose phone was changed to 2 here and to 3 at the server.
  func conflict() async throws {
    serverPatient("p-1", phone: "1")
    try await sync()
    try await setPhone("2", of: "p-1")
    change("Patient", "p-1") { $0["telecom"] = [["system": "phone", "use": "home", "value": "3"]] }
    try await sync()
  }

  /// Deletes a patient here.
  func delete(_ id: Patient.ID) async throws {
    let context = WriteContext(author: data.author, action: world.effects.ids.next())
    _ = try await data.store.write { transaction throws(AppError) in
      try transaction.delete(try transaction.visibleResource(id.key), summary: "delete", context)
    }
  }

  /// Claims every pending entry, as a sync does before it sends.
  func claimAll() async throws {
    let ids = world.effects.ids
    try await data.store.write { transaction throws(AppError) in
      let knowledge = try transaction.serverKnowledge()
      for entry in try transaction.outboxEntries() where entry.state == .pending {
        let record = try transaction.resource(entry.key)
        guard
          let attempt = RequestBuilder.attempt(
            for: entry, base: record?.base, etag: record?.etag, server: knowledge, id: ids.next())
        else { continue }
        try transaction.claim(entry, attempt)
      }
    }
  }

  /// The frozen bodies in the outbox.
  func bodies() async throws -> [[UInt8]?] {
    try await data.store.read { transaction throws(AppError) in try transaction.outboxEntries().map { $0.attempt?.body }
    }
  }

  /// How many entries were written and are neither in the outbox nor in the journal.
  func unbalanced() async throws -> Int64 {
    try await data.store.read { transaction throws(AppError) in
      try transaction.first(
        """
        SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'outbox'), 0)
          - (SELECT count(*) FROM outbox) - (SELECT count(*) FROM journal)
        """
      ) { row throws(SQLiteError) in row.integer(0) } ?? 0
    }
  }
}
