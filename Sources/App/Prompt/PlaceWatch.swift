import DesignSystem
import Domain

/// Looks at the place where one is while a line is being typed, and says what became different there.
struct PlaceWatch {
  let container: DependencyContainer
  /// How many changes are told one by one.
  private static let most = 5

  /// Watches until the task is cancelled.
  ///
  /// - Parameters:
  ///   - say: Told what became different, a line each.
  ///   - stateChanged: Told that the state against the server is another one.
  func follow(say: ([String]) -> Void, stateChanged: () async -> Void) async {
    guard let changes = container.repositories.changes?() else { return }
    let place = container.shell.place
    // Listening has begun before the first look, so no change falls in between.
    var seen = await look(at: place)
    for await _ in changes {
      let now = await look(at: place)
      if Task.isCancelled { return }
      let lines = Self.lines(from: seen, to: now, place: place)
      if !lines.isEmpty { say(lines) }
      if (seen.unsent, seen.inReview) != (now.unsent, now.inReview) { await stateChanged() }
      seen = now
    }
  }

  /// What is seen at one time.
  private struct Look {
    var page: Page?
    var unsent = 0
    var inReview = 0
  }

  /// What the store has; nothing is asked for.
  private func look(at place: Place) async -> Look {
    let status = await container.repositories.sync.status().first()?.value
    return Look(page: await page(at: place), unsent: status?.unsent ?? 0, inReview: status?.inReview ?? 0)
  }

  private func page(at place: Place) async -> Page? {
    do throws(AppError) {
      return try await container.page(at: place, reading: .local, opens: false)
    } catch {
      // Whoever asks for the page is told why it cannot be shown.
      _ = container.errors.take()
      return nil
    }
  }

  private static func lines(from old: Look, to new: Look, place: Place) -> [String] {
    var lines: [String] = []
    if let before = old.page, let after = new.page {
      let phrases = PageChanges(from: before, to: after).phrases
      lines = phrases.prefix(most).map { "Meanwhile: \($0)" }
      if phrases.count > most {
        lines.append("Meanwhile: \(phrases.count - most) more changes; see: go \(place.link.text)")
      }
    }
    if new.inReview > old.inReview {
      lines.append("Meanwhile: \(new.inReview - old.inReview) more for review; see: review")
    }
    return lines
  }
}
