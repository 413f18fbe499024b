import Simulation
import Testing

@Suite("Simulation")
struct SimulationTests {
  @Test("the same seed gives the same trace")
  func sameTrace() {
    #expect(SimShrinker.run(seed: 7).hash == SimShrinker.run(seed: 7).hash)
  }
}
