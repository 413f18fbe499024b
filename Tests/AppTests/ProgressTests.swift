import Domain
import Testing

@testable import App

@Suite("Progress of a sync")
struct ProgressTests {
  @Test("a bar has counts, a rate once it can be told, and says which totals are estimates")
  func bar() {
    var meter = SyncProgressMeter()
    _ = meter.take(.pulling(type: "Patient", received: 0, ofAbout: 1_000), at: 10_000, every: 0)
    let reading = meter.take(.pulling(type: "Patient", received: 500, ofAbout: 1_000), at: 12_000, every: 0)
    #expect(reading?.bar(cells: 10) == "[#####-----] receiving Patient: 500 of about 1000, 250 a second")
    let pushing = meter.take(.pushing(settled: 3, of: 4), at: 12_100, every: 0)
    #expect(pushing?.bar(cells: 4) == "[###-] sending: 3 of 4")
    let unknown = meter.take(.pulling(type: "Patient", received: 7, ofAbout: nil), at: 12_200, every: 0)
    #expect(unknown?.bar(cells: 10) == "receiving Patient: 7")
  }

  @Test("a claim of the server's that is too small never shows more than all")
  func overtaken() {
    var meter = SyncProgressMeter()
    let reading = meter.take(.pulling(type: "Patient", received: 20, ofAbout: 10), at: 0, every: 0)
    #expect(reading?.bar(cells: 4) == "[####] receiving Patient: 20 of about 20")
  }

  @Test("without someone who watches, a line comes every few seconds, and none for what is quick")
  func lines() {
    var meter = SyncProgressMeter()
    let shown = (0...80).compactMap { step in
      meter.take(.pushing(settled: step, of: 80), at: Int64(step) * 100, every: 3_000)
    }
    #expect(shown.map(\.done) == [30, 60])
  }

  @Test("a clock that is set back stops neither the lines nor the rate")
  func clock() {
    var meter = SyncProgressMeter()
    _ = meter.take(.pushing(settled: 0, of: 9), at: 100_000, every: 3_000)
    _ = meter.take(.pushing(settled: 1, of: 9), at: 50_000, every: 3_000)
    #expect(meter.take(.pushing(settled: 7, of: 9), at: 53_000, every: 3_000)?.rate == 2)
  }
}
