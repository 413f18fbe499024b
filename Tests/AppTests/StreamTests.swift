import Domain
import Foundation
import Testing

@testable import App

@Suite("Streams")
struct StreamTests {
  /// A pipe whose ends are closed by the test.
  private func makePipe() throws -> (read: Int32, write: Int32) {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    // Programs that other tests start meanwhile must not keep an end open.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  private func write(_ text: String, to descriptor: Int32) {
    let bytes = Array(text.utf8)
    _ = Foundation.write(descriptor, bytes, bytes.count)
  }

  @Test("lines come as they are written, and the last one needs no end")
  func lines() async throws {
    let (read, write) = try makePipe()
    let source = FileLineSource(descriptor: read, closes: true)
    self.write("one\n\ntw", to: write)
    #expect(try await source.next() == Array("one".utf8))
    #expect(try await source.next() == [])
    self.write("o", to: write)
    close(write)
    #expect(try await source.next() == Array("two".utf8))
    #expect(try await source.next() == nil)
  }

  @Test("a read that waits ends with its task, and the next one waits again")
  func cancelled() async throws {
    let (read, write) = try makePipe()
    let source = FileLineSource(descriptor: read, closes: true)
    for _ in 0..<20 {
      let task = Task { try await source.next() }
      await Task.yield()
      task.cancel()
      #expect(try await task.value == nil)
    }
    self.write("line\n", to: write)
    close(write)
    #expect(try await source.next() == Array("line".utf8))
  }

  @Test("a file without lines does not fill the memory")
  func long() async throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "clinic-\(UUID().uuidString)")
    try Foundation.Data(repeating: 0x61, count: FileLineSource.longestLine + 100_000).write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    let source = try FileLineSource(path: url.path)
    await #expect(throws: AppError.self) { try await source.next() }
  }

  @Test("a long text is written whole, and a reader that is gone is told of")
  func sink() async throws {
    signal(SIGPIPE, SIG_IGN)
    let (read, write) = try makePipe()
    let sink = FileSink(descriptor: write)
    let text = String(repeating: "x", count: 300_000)
    async let written: Void = sink.write(text + "\n")
    let source = FileLineSource(descriptor: read)
    #expect(try await source.next()?.count == 300_000)
    try await written
    close(read)
    // A program that another test is just starting may hold a copy of the other end until it runs.
    let limit = ContinuousClock.now + .seconds(60)
    await #expect(throws: OutputClosed.self) {
      while ContinuousClock.now < limit {
        try await sink.write("x")
        try await Task.sleep(for: .milliseconds(20))
      }
    }
    close(write)
  }
}
