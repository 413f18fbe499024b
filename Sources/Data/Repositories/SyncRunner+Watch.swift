import Domain
import Synchronization

extension SyncRunner {
  func watch(
    _ options: SyncOptions, progress: @escaping @Sendable (SyncProgress) -> Void,
    told: @escaping @Sendable (SyncReport) -> Void
  ) async throws(AppError) -> SyncReport {
    stop.begin()
    defer { stop.end() }
    let window = SyncRun(startedAt: store.effects.timer.now(), limit: options.maximumTime)
    var continued = BackgroundSync(store: store, sync: self)
    let mark = await continued.mark()
    // The first pass says at once what no patience will change.
    let last = try await sync(options, progress: progress)
    told(last)
    let ended = Mutex<Result<SyncReport, AppError>>(.success(last))
    let mayGoOn = mayGoOn(window)
    continued.progress = progress
    continued.options = { [timer = store.effects.timer] in
      guard mayGoOn() else { return nil }
      var pass = options
      pass.retriesNow = false
      pass.maximumTime = window.left(timer.now())
      return pass
    }
    continued.told = { result in
      ended.withLock { $0 = result }
      if case .success(let report) = result { told(report) }
    }
    await continued.run(after: (.success(last), mark))
    return try ended.withLock { $0 }.get()
  }
}
