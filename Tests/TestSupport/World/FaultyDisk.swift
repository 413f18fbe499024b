internal import CFaultyDisk
import Foundation
import Synchronization

/// A disk below SQLite that fails when it is told to, and that loses in a power cut what was not synced.
package final class FaultyDisk: Sendable {
  /// What a disk does to a process.
  package enum Fault: Int32, Sendable, CaseIterable {
    /// No space: nothing of a write is written.
    case full = 1
    /// No space: half of a write is written.
    case short = 2
    /// An input/output error.
    case broken = 3
    /// Mounted read-only.
    case readOnly = 4
    /// The process dies in the middle of a write.
    case dead = 5
    /// An input/output error on reading. Counted by reads.
    case unreadable = 6
  }

  private struct State {
    var names: [String] = []
    var listeners: [Listener] = []
  }

  private let disk: Handle
  private let state = Mutex(State())

  package init() { disk = Handle() }

  deinit { unmountAll() }

  /// Registers the disk as one process sees it, under a name for SQLite.
  ///
  /// - Parameters:
  ///   - onSync: called after each sync.
  ///   - onFault: called when a planned fault begins.
  @discardableResult
  package func mount(
    _ name: String = "disk-\(UUID().uuidString)", onSync: (@Sendable () -> Void)? = nil,
    onFault: (@Sendable (Fault) -> Void)? = nil
  ) -> String {
    let listener = Listener(onSync: onSync, onFault: onFault)
    state.withLock { state in
      state.names.append(name)
      state.listeners.append(listener)
    }
    faulty_disk_mount(
      disk.pointer, name,
      { context, event in
        guard let context else { return }
        let listener = Unmanaged<Listener>.fromOpaque(context).takeUnretainedValue()
        if event < 0 { listener.onSync?() } else if let fault = Fault(rawValue: event) { listener.onFault?(fault) }
      }, Unmanaged.passUnretained(listener).toOpaque())
    return name
  }

  /// Takes the names back from SQLite, and falls silent. Files that are open stay usable.
  package func unmountAll() {
    let names = state.withLock { $0.names }
    for name in names { faulty_disk_unmount(disk.pointer, name) }
  }

  /// Plans a fault.
  ///
  /// - Parameters:
  ///   - first: the change (or the read) on which it acts, counted from now: 1 is the next one.
  ///   - count: on how many it acts; `nil` for all from then on.
  package func plan(_ fault: Fault, on mount: String, first: Int = 1, count: Int? = nil) {
    faulty_disk_plan(disk.pointer, mount, fault.rawValue, Int64(first), Int64(count ?? -1))
  }

  /// Makes the disk sound again.
  package func heal(_ mount: String) { faulty_disk_plan(disk.pointer, mount, 0, 1, 0) }

  /// Writes, truncations, syncs and deletions so far.
  package func changes(on mount: String) -> Int { Int(faulty_disk_changes(disk.pointer, mount)) }

  /// Reads so far.
  package func reads(on mount: String) -> Int { Int(faulty_disk_reads(disk.pointer, mount)) }

  /// Puts what a power cut leaves of the files in one folder into another.
  ///
  /// - Returns: how many changes were lost, at least in part.
  @discardableResult
  package func cut(from folder: String, to other: String, seed: UInt64) -> Int {
    mkdir(other, 0o700)
    return Int(faulty_disk_cut(disk.pointer, folder, other, seed))
  }

  private final class Listener: Sendable {
    let onSync: (@Sendable () -> Void)?
    let onFault: (@Sendable (Fault) -> Void)?

    init(onSync: (@Sendable () -> Void)?, onFault: (@Sendable (Fault) -> Void)?) {
      self.onSync = onSync
      self.onFault = onFault
    }
  }

  /// Unchecked: the disk has a lock of its own, and the pointer never changes.
  private final class Handle: @unchecked Sendable {
    let pointer = faulty_disk_make()

    deinit { faulty_disk_release(pointer) }
  }
}
