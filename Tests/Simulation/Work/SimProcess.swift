import Data
import Domain

/// One life of one process of the client, from its start to its end or its death.
///
/// Unchecked: everything in a world runs on the one thread that called ``SimScheduler/run(maximumJobs:until:)``.
final class SimProcess: @unchecked Sendable {
  let name: String
  let lane: SimLane
  let author: Author
  let data: ClinicData
  /// The disk as this process sees it.
  let mount: String
  var background: ClinicData.BackgroundWork?
  /// Whether it was told to sync in the background; it may have died before it said so.
  var syncsInBackground = false
  var readers: [SpawnedWork] = []
  /// When a sync began that has not ended.
  var syncsSince: Int64?
  var syncs = 0

  init(name: String, lane: SimLane, author: Author, data: ClinicData, mount: String) {
    self.name = name
    self.lane = lane
    self.author = author
    self.data = data
    self.mount = mount
  }

  var isDead: Bool { lane.isDead }

  /// Does something in the process, and waits for it.
  ///
  /// - Returns: `nil` when the process died meanwhile.
  func perform<Value: Sendable>(_ body: @escaping @Sendable (ClinicData) async -> Value) async -> Value? {
    let once = SimOnce<Value?>()
    lane.whenDead { once.finish(nil) }
    _ = Task(executorPreference: lane) { [data] in once.finish(await body(data)) }
    return await once.value()
  }
}
