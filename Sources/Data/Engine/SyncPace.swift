import Domain

/// The pauses between the passes of a sync that goes on: short while something happens, long while nothing does, so that
/// many machines together leave a server in peace.
struct SyncPace: Hashable, Sendable {
  /// After a pass that sent or received something.
  var busy = Duration.seconds(15)
  /// After the first pass in which nothing happened; doubles with every further one.
  var quiet = Duration.seconds(30)
  /// After the first pass that met trouble; doubles with every further one.
  var troubled = Duration.seconds(5)
  /// At most.
  var longest = Duration.seconds(300)
  /// After a local commit: so that what is typed together goes together.
  var gathering = Duration.milliseconds(200)

  private var quietPasses = 0
  private var failures = 0

  /// How long to wait after a pass.
  ///
  /// - Parameters:
  ///   - now: milliseconds since 1970.
  ///   - unit: a random number in `0..<1`: machines that met the same outage must not come back together.
  mutating func pause(after result: Result<SyncReport, AppError>, now: Int64, unit: Double) -> Duration {
    let spread = 0.5 + unit / 2
    switch result {
    case .success(let report):
      switch report.outcome {
      case .throttled(let until): return .milliseconds(max(0, until.milliseconds - now))
      case .complete, .needsReview, .signInNeeded:
        failures = 0
        quietPasses = report.isEventful ? 0 : quietPasses + 1
        guard quietPasses > 0 else { return busy }
        return doubled(quiet, quietPasses) * spread
      case .unreachable, .unfinished: failures += 1
      }
    // Another process syncs, or the store is in trouble: both are looked at again.
    case .failure: failures += 1
    }
    return doubled(troubled, failures) * spread
  }

  private func doubled(_ first: Duration, _ times: Int) -> Duration { min(longest, first * (1 << min(times - 1, 10))) }
}
