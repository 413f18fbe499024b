import TestSupport

/// Waits until something is the case, and fails when it is not so within a minute.
func eventually(_ isSo: () async throws -> Bool) async throws {
  let end = ContinuousClock.now + .seconds(60)
  while try await !isSo() {
    guard ContinuousClock.now < end else { throw ProgramFailure("it did not come about within a minute") }
    try await Task.sleep(for: .milliseconds(20))
  }
}
