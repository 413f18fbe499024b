import Domain
import TestSupport

extension SimWorld {
  /// Gives a process its view of the disk.
  func mountDisk(_ name: String, _ lane: SimLane) -> String {
    let mount = disk.mount(
      folder + "/" + name,
      onSync: { [weak self] in
        guard let self, syncDelay > 0 else { return }
        scheduler.delay(milliseconds: syncDelay)
      },
      onFault: { [weak self, weak lane] fault in
        self?.note("\(name) meets a disk that is \(fault)")
        if fault == .dead { lane?.die() }
      })
    if isDiskFull { disk.plan(.full, on: mount) }
    return mount
  }

  /// What happens to the disk.
  func trouble(_ kind: SimStep.Kind, _ place: Int, _ random: inout SimRandom) async {
    switch kind {
    case .killInWrite:
      guard let process = await process(place) else { return }
      disk.plan(.dead, on: process.mount, first: random.int(1...60))
    case .diskFails:
      guard let process = await process(place) else { return }
      hadDiskFaults = true
      disk.plan(.broken, on: process.mount, first: random.int(1...60), count: random.int(1...3))
    case .diskFull:
      hadDiskFaults = true
      isDiskFull = true
      for process in living { disk.plan(.full, on: process.mount) }
    case .diskFree: healDisk()
    case .diskSlow: syncDelay = Int64(random.pick([0, 20, 300, 2_000]) ?? 0)
    default: break
    }
  }

  func healDisk() {
    isDiskFull = false
    for process in living { disk.heal(process.mount) }
  }

  private var living: [SimProcess] { processes.compactMap { $0 }.filter { !$0.isDead } }

  /// Whether an error tells of a disk that failed here.
  func isDiskTrouble(_ error: AppError) -> Bool {
    hadDiskFaults && (error.code == .storeFull || error.code == .storeUnavailable)
  }
}
