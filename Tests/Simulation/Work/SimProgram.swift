/// One step of a program: what somebody does, or what happens.
package struct SimStep: Sendable, Hashable {
  package enum Kind: String, Sendable, CaseIterable {
    case register, book, record
    case editPhone, editCity, editFamily, editComment, move, editValue, editNote
    case cancel, retract, discard, decide
    case sync, push, pull, hurriedSync, background
    case look, open, search
    case restart, crash, crashSoon, powerCut, otherUser
    case siteEdit, siteCreate, siteDelete, backup, restore
    case networkDown, networkUp, portal, weather, turnClock, wait, check
    case checkpoint, killInWrite, diskFull, diskFree, diskSlow, diskFails
    case signOut, signIn, cutOff, halfOpen, clockLeaps, searchLags
  }

  package var kind: Kind
  /// Its place in the whole program: what it writes is named after that.
  package var number: Int
  /// Decides the rest.
  package var seed: UInt64
  /// Milliseconds before it.
  package var pause: Int
}

package enum SimProgram {
  /// The whole program of a seed: a clinic's work, and the troubles of machines among it.
  ///
  /// What is added to the drawing gets a stream of luck and step numbers of its own, so that old seeds stay what they were.
  package static func drawn(seed: UInt64) -> [SimStep] {
    var steps = work(seed: seed)
    var random = SimRandom(seed: seed, stream: 7)
    for number in 0..<random.int(0...8) {
      let step = SimStep(
        kind: random.pick(weighted: troubles), number: firstTrouble + number, seed: random.next(),
        pause: random.int(0...400))
      steps.insert(step, at: random.int(1...steps.count))
    }
    return steps
  }

  /// From this seed on programs are longer.
  package static let firstLong: UInt64 = 1_000_000_000

  /// The number of the first trouble.
  package static let firstTrouble = 100

  private static func work(seed: UInt64) -> [SimStep] {
    var random = SimRandom(seed: seed, stream: 4)
    let count = seed < firstLong ? random.int(12...45) : random.int(46...95)
    var steps = [SimStep(kind: .pull, number: 0, seed: random.next(), pause: 10)]
    let canRestore = random.chance(0.1)
    for number in 1...count {
      var kind = random.pick(weighted: weights)
      if !canRestore, kind == .backup || kind == .restore { kind = .sync }
      let isLong = random.chance(0.1)
      steps.append(
        SimStep(kind: kind, number: number, seed: random.next(), pause: random.int(0...(isLong ? 60_000 : 400))))
    }
    return steps
  }

  private static let troubles: [(SimStep.Kind, Int)] = [
    (.powerCut, 4), (.killInWrite, 6), (.checkpoint, 4), (.diskFull, 2), (.diskFree, 3), (.diskSlow, 2),
    (.diskFails, 3),
    (.signOut, 2), (.signIn, 2), (.cutOff, 2), (.halfOpen, 2), (.networkUp, 4), (.clockLeaps, 1), (.searchLags, 1),
    (.look, 2), (.sync, 4),
  ]

  private static let weights: [(SimStep.Kind, Int)] = [
    (.register, 5), (.book, 4), (.record, 5),
    (.editPhone, 8), (.editCity, 5), (.editFamily, 3), (.editComment, 4), (.move, 3), (.editValue, 3), (.editNote, 2),
    (.cancel, 2), (.retract, 2), (.discard, 2), (.decide, 7),
    (.sync, 14), (.push, 4), (.pull, 4), (.hurriedSync, 2), (.background, 1),
    (.look, 4), (.open, 5), (.search, 1),
    (.restart, 2), (.crash, 2), (.crashSoon, 4), (.powerCut, 1), (.otherUser, 2),
    (.siteEdit, 12), (.siteCreate, 2), (.siteDelete, 2), (.backup, 2), (.restore, 1),
    (.networkDown, 2), (.networkUp, 4), (.portal, 1), (.weather, 2), (.turnClock, 1), (.wait, 3), (.check, 2),
  ]
}
