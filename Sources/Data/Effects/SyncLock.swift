package import Domain
import Foundation
import Synchronization

/// The right to drain a store: a kernel file lock, which a death releases and a sleep does not.
package final class SyncLock: Sendable {
  private let descriptor: Atomic<Int32>

  private init(descriptor: Int32) {
    self.descriptor = Atomic(descriptor)
  }

  deinit { release() }

  /// Takes the lock.
  ///
  /// - Parameter note: who takes it, for those who find it taken.
  /// - Throws: `syncRunning`, naming the holder; `storeUnavailable`.
  package static func take(_ path: String, note: String) throws(AppError) -> SyncLock {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw AppError(.storeUnavailable, "the lock file \(path) cannot be opened: \(String(cString: strerror(errno)))")
    }
    let isTaken: Bool
    do throws(AppError) { isTaken = try lock(descriptor, path) } catch {
      close(descriptor)
      throw error
    }
    guard isTaken else {
      let holder = writtenNote(in: descriptor)
      close(descriptor)
      throw AppError(
        .syncRunning, "another sync is running" + (holder.isEmpty ? "" : " (\(holder))"),
        hint: "wait for it to end, then sync again")
    }
    ftruncate(descriptor, 0)
    let text = Array(note.utf8)
    _ = pwrite(descriptor, text, text.count, 0)
    return SyncLock(descriptor: descriptor)
  }

  /// Takes the kernel's lock. Those who only ask for its holder share it, for a moment each: that is waited for.
  private static func lock(_ descriptor: Int32, _ path: String) throws(AppError) -> Bool {
    for _ in 1...100 {
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
      guard errno == EWOULDBLOCK else {
        throw AppError(.storeUnavailable, "the lock file \(path) cannot be locked: \(String(cString: strerror(errno)))")
      }
      guard flock(descriptor, LOCK_SH | LOCK_NB) == 0 else { return false }
      flock(descriptor, LOCK_UN)
      usleep(1_000)
    }
    return false
  }

  /// Who holds the lock; `nil` when nobody does.
  package static func holder(_ path: String) -> String? {
    let descriptor = open(path, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    if flock(descriptor, LOCK_SH | LOCK_NB) == 0 {
      flock(descriptor, LOCK_UN)
      return nil
    }
    let holder = writtenNote(in: descriptor)
    return holder.isEmpty ? "another process" : holder
  }

  /// Gives the lock back. Later calls do nothing.
  package func release() {
    let held = descriptor.exchange(-1, ordering: .relaxed)
    guard held >= 0 else { return }
    ftruncate(held, 0)
    // A process that is just being started may hold a copy of the descriptor: closing ours would not free the lock.
    flock(held, LOCK_UN)
    close(held)
  }

  /// What the holder noted. Who has just taken the lock is about to.
  private static func writtenNote(in descriptor: Int32) -> String {
    var bytes = [UInt8](repeating: 0, count: 200)
    for _ in 1...5 {
      let count = pread(descriptor, &bytes, bytes.count, 0)
      if count > 0 { return String(decoding: bytes.prefix(count), as: UTF8.self) }
      usleep(1_000)
    }
    return ""
  }
}
