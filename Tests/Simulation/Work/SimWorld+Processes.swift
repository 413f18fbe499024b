import Data
import Domain
import Foundation
import TestSupport

extension SimWorld {
  /// The process of a place; started if none lives there.
  func process(_ place: Int, author: Author? = nil, offline: Bool = false) async -> SimProcess? {
    if let living = processes[place], !living.isDead { return living }
    return await start(place, author ?? authors[place % authors.count])
  }

  func start(_ place: Int, _ author: Author) async -> SimProcess? {
    lives += 1
    let name = "\(place == 0 ? "A" : "B")\(lives)"
    let lane = SimLane(scheduler, name: name)
    lanes.append(lane)
    ledger.start(name, as: author.subject)
    var configuration = ClinicData.Configuration(
      directory: directory, server: SimServer.base, author: author, isServiceIdentity: isService)
    configuration.requestTimeout = .seconds(30)
    let mount = mountDisk(name, lane)
    configuration.vfs = mount
    let opened = SimOnce<Result<ClinicData, AppError>>()
    let effects = machine.effects(on: lane)
    let transport = network.transport(
      for: SimNetwork.Sender(process: name, place: place, subject: author.subject, isDead: { lane.isDead }))
    _ = Task(executorPreference: lane) { [configuration] in
      do throws(AppError) {
        opened.finish(.success(try await ClinicData.open(configuration, effects: effects, transport: transport)))
      } catch { opened.finish(.failure(error)) }
    }
    switch await opened.value() {
    case .success(let data):
      note("\(name) starts as \(author.subject)")
      let process = SimProcess(name: name, lane: lane, author: author, data: data, mount: mount)
      lane.whenDead { [self, process] in
        note("\(name) is dead")
        disk.plan(.dead, on: mount)
        freeLocks(of: process)
      }
      processes[place] = process
      all.append(process)
      return process
    case .failure(let error):
      note("\(name) cannot start: \(error.code.rawValue)")
      if isDiskTrouble(error) { return nil }
      ledger.problem("the store cannot be opened: \(error.code.rawValue) \(error.message)")
      return nil
    }
  }

  /// Ends a process in order.
  func stop(_ place: Int) async {
    guard let process = processes[place] else { return }
    processes[place] = nil
    guard !process.isDead else { return }
    for reader in process.readers { reader.cancel() }
    _ = await process.perform { data in
      await process.background?.end()
      await data.close()
    }
    note("\(process.name) ends")
  }

  /// Kills a process: none of its jobs runs any more, and the kernel frees its locks.
  func crash(_ place: Int) {
    guard let process = processes[place] else { return }
    if !process.isDead {
      note("\(process.name) is killed")
      process.lane.die()
    }
    processes[place] = nil
  }

  /// The power fails: both processes die, and the disk loses what it was not told to keep.
  func cutPower(_ random: inout SimRandom) {
    crash(0)
    crash(1)
    // Also those that were ending.
    for process in all where !process.isDead { process.lane.die() }
    let next = folder + "/\(lives + 2)"
    guard FileManager.default.fileExists(atPath: directory) else { return }
    let lost = disk.cut(from: directory, to: next, seed: random.next())
    note("the power fails: \(lost) changes of the disk are lost")
    // A mark that got to the disk must never claim more than the store.
    try? FileManager.default.copyItem(atPath: directory + "/clinic.mark", toPath: next + "/clinic.mark")
    if lost < 0 { ledger.problem("the disk of the simulation is full") }
    directory = next
  }

  /// Lets a process die at its Nth next job.
  func crashSoon(_ place: Int, jobs: Int) {
    guard let process = processes[place], !process.isDead else { return }
    note("\(process.name) will be killed")
    process.lane.die(afterJobs: jobs)
  }

  /// The kernel frees the locks of the dead. Whoever holds the lock longest is the holder.
  func freeLocks(of process: SimProcess) {
    let others = processes.compactMap { $0 }.filter { !$0.isDead && $0 !== process }
    let since = process.syncsInBackground ? 0 : process.syncsSince
    guard let since, !others.contains(where: { ($0.syncsSince ?? .max) < since }) else { return }
    let path = directory + "/sync.lock"
    for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? [] {
      guard let descriptor = Int32(name),
        let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)"),
        target == path
      else { continue }
      flock(descriptor, LOCK_UN)
    }
  }
}
