import JSON

extension MockState {
  /// The control endpoints, below `/$mock/`; no fault applies to them and no log lists them.
  ///
  /// - `POST faults` adds one fault or a list, `DELETE faults` removes all
  /// - `GET log`, `GET requests`: applied writes, and requests, one JSON object a line
  /// - `POST clock` `{"set": "2026-11-30T08:00:00Z"}` or `{"advance": seconds}`; `GET clock`
  /// - `POST snapshot`, `POST restore`, both with `{"name": "…"}` or nothing: take a backup, go back to it
  /// - `POST profile` `{"name": "no-history"}`
  mutating func control(_ method: String, _ path: [String], body: [UInt8]) -> Answer {
    do throws(Refusal) {
      let document: JSONValue
      do {
        document = body.isEmpty ? [:] : try JSONValue(parsing: body)
      } catch {
        throw Refusal(400, "structure", "the body is no JSON document: \(error.description)")
      }
      return try control(method, path.joined(separator: "/"), document)
    } catch {
      return error.answer
    }
  }

  private mutating func control(_ method: String, _ name: String, _ document: JSONValue) throws(Refusal) -> Answer {
    switch (method, name) {
    case ("POST", "faults"):
      do {
        faults.add(try MockFault.list(document))
      } catch {
        throw Refusal(400, "value", error.message)
      }
      return Answer(status: 204)
    case ("DELETE", "faults"):
      faults = Script<MockFault>()
      return Answer(status: 204)
    case ("GET", "log"): return lines(log.map(\.document))
    case ("GET", "requests"): return lines(exchanges.map(\.document))
    case ("GET", "clock"): return Answer(status: 200, document: ["now": .string(Instant.text(clock.now))])
    case ("POST", "clock"):
      if let text = document["set"]?.string, let range = TimeRange(text) {
        clock.set(range.start)
      } else if let seconds = document["advance"]?.number?.double, abs(seconds) < 1e12 {
        clock.advance(Int64(seconds * 1000))
      } else {
        throw Refusal(400, "value", "a clock takes {\"set\": instant} or {\"advance\": seconds}")
      }
      return Answer(status: 200, document: ["now": .string(Instant.text(clock.now))])
    case ("POST", "snapshot"):
      snapshots[document["name"]?.string ?? "default"] = mark
      return Answer(status: 204)
    case ("POST", "restore"):
      guard restore(document["name"]?.string ?? "default") else {
        throw Refusal(404, "not-found", "there is no such snapshot")
      }
      return Answer(status: 204)
    case ("POST", "profile"):
      guard let preset = MockProfile.presets.first(where: { .string($0.name) == document["name"] }) else {
        throw Refusal(400, "value", "there is no such profile")
      }
      profile = preset
      return Answer(status: 204)
    default: throw Refusal(404, "not-found", "there is no such control")
    }
  }

  private func lines(_ documents: [JSONValue]) -> Answer {
    var bytes: [UInt8] = []
    for document in documents { bytes += document.bytes() + [0x0A] }
    return Answer(status: 200, headers: ["Content-Type": "application/x-ndjson"], raw: bytes)
  }
}
