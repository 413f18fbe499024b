import TestSupport

/// Luck that depends on a seed alone.
package struct SimRandom: Sendable {
  private var state: UInt64

  /// - Parameter stream: tells apart what draws from one seed, so that one drawing more does not change the others.
  package init(seed: UInt64, stream: UInt64 = 0) {
    state = seed
    let first = SplitMix.next(&state)
    state = first ^ (stream &* 0x2545_f491_4f6c_dd1d)
    _ = SplitMix.next(&state)
  }

  package mutating func next() -> UInt64 { SplitMix.next(&state) }

  package mutating func int(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + Int(next() % UInt64(range.upperBound - range.lowerBound + 1))
  }

  package mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

  package mutating func chance(_ probability: Double) -> Bool { unit() < probability }

  /// One of some; nothing from none.
  package mutating func pick<Element>(_ elements: [Element]) -> Element? {
    elements.isEmpty ? nil : elements[int(0...elements.count - 1)]
  }

  /// One of some, by weight.
  package mutating func pick<Element>(weighted elements: [(Element, Int)]) -> Element {
    var left = int(1...elements.reduce(0) { $0 + $1.1 })
    for (element, weight) in elements {
      left -= weight
      if left <= 0 { return element }
    }
    return elements[0].0
  }
}
