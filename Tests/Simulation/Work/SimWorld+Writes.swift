import Data
import Domain

extension SimWorld {
  private static let refusedShare = 0.05

  func write(_ step: SimStep, _ place: Int, _ random: inout SimRandom) async {
    guard let process = await process(place) else { return }
    let isRefused = random.chance(Self.refusedShare)
    func token(_ word: String) -> String { "\(isRefused ? "refuse-" : "")\(word)-\(step.number)" }
    switch step.kind {
    case .register: await register(step, process, token("family"))
    case .book: await book(step, process, &random, token("comment"))
    case .record: await record(step, process, &random)
    case .editPhone: await editPatient(.phone, token("phone"), process, &random)
    case .editCity: await editPatient(.city, token("city"), process, &random)
    case .editFamily: await editPatient(.family, token("family"), process, &random)
    case .editComment: await editAppointment(.comment, token("comment"), step, process, &random)
    case .move: await editAppointment(.start, start(step), step, process, &random)
    case .editValue: await editObservation(.value, String(1_000 + step.number), process, &random)
    case .editNote: await editObservation(.note, token("note"), process, &random)
    case .cancel: await editAppointment(nil, "", step, process, &random)
    case .retract: await editObservation(nil, "", process, &random)
    default: break
    }
  }

  private func start(_ step: SimStep) -> String {
    Instant(secondsSince1970: 1_800_000_000 + Int64(step.number) * 7_200).text
  }

  private func pick(_ type: String, _ random: inout SimRandom) -> ResourceKey? {
    let ours = ledger.created.filter { $0.type == type }
    if random.chance(0.55), let key = random.pick(ours) { return key }
    return random.pick(known.filter { $0.type == type } + ours)
  }

  // MARK: Making records

  private func register(_ step: SimStep, _ process: SimProcess, _ family: String) async {
    let phone = "phone-\(step.number)-new"
    let city = "city-\(step.number)-new"
    let key = ResourceKey(type: "Patient", id: "new-\(step.number)")
    let writes = [(SimSlot.family, family), (.phone, phone), (.city, city)].map {
      ledger.begin(key, $0.0, $0.1, by: process.name, isCreate: true)
    }
    let patient = Patient(
      id: Patient.ID(""), name: [HumanName(family: family)],
      telecom: [ContactPoint(system: .known(.phone), value: phone, use: .known(.home))],
      address: [Address(use: .known(.home), city: city)])
    let result = await process.perform { data -> Result<WriteReceipt, AppError> in
      do throws(AppError) { return .success(try await data.patients.register(patient)) } catch {
        return .failure(error)
      }
    }
    finish(writes, result, process, "register \(family)")
  }

  private func book(_ step: SimStep, _ process: SimProcess, _ random: inout SimRandom, _ comment: String) async {
    guard let patient = pick("Patient", &random) else { return }
    let start = Instant(secondsSince1970: 1_800_003_600 + Int64(step.number) * 7_200)
    let key = ResourceKey(type: "Appointment", id: "new-\(step.number)")
    let writes = [(SimSlot.comment, comment), (.start, start.text)].map {
      ledger.begin(key, $0.0, $0.1, by: process.name, isCreate: true)
    }
    let appointment = Appointment(
      id: "", status: .known(.booked), start: start,
      end: Instant(secondsSince1970: start.secondsSince1970 + 1_800), comment: comment,
      participant: [Appointment.Participant(actor: Reference(patient))])
    let result = await process.perform { data -> Result<WriteReceipt, AppError> in
      do throws(AppError) {
        return .success(try await data.appointments.book(appointment, allowingOverlap: true))
      } catch { return .failure(error) }
    }
    finish(writes, result, process, "book \(comment)")
  }

  /// One to three observations as one action.
  private func record(_ step: SimStep, _ process: SimProcess, _ random: inout SimRandom) async {
    guard let patient = pick("Patient", &random) else { return }
    let count = random.int(1...3)
    var writes: [[Int]] = []
    var observations: [ClinicalObservation] = []
    for part in 0..<count {
      let value = 10_000 + step.number * 10 + part
      let key = ResourceKey(type: "Observation", id: "new-\(step.number)-\(part)")
      writes.append([ledger.begin(key, .value, String(value), by: process.name, isCreate: true)])
      observations.append(
        ClinicalObservation(
          id: "", status: .known(.final), code: CodeableConcept(text: "Pulse"), subject: Reference(patient),
          value: .quantity(Quantity(PreciseDecimal(value), ucum: "/min"))))
    }
    let result = await process.perform { [observations] data -> Result<[WriteReceipt], AppError> in
      do throws(AppError) { return .success(try await data.observations.record(observations)) } catch {
        return .failure(error)
      }
    }
    for (part, list) in writes.enumerated() {
      finish(list, result.map { $0.map { $0[part] } }, process, "record \(10_000 + step.number * 10 + part)")
    }
  }

  // MARK: Changing records

  private func editPatient(_ slot: SimSlot, _ token: String, _ process: SimProcess, _ random: inout SimRandom) async {
    guard let key = pick("Patient", &random) else { return }
    let write = ledger.begin(key, slot, token, by: process.name)
    let result = await process.perform { [ledger] data -> Result<WriteReceipt, AppError> in
      do throws(AppError) {
        return .success(
          try await data.patients.edit(Patient.ID(key.id)) { patient in
            ledger.saw(write, patient.value(of: slot))
            patient.set(slot, token)
          })
      } catch { return .failure(error) }
    }
    finish([write], result, process, "edit \(key) \(slot)=\(token)")
    await readBack(key, slot, token, process, result)
  }

  private func editAppointment(
    _ slot: SimSlot?, _ token: String, _ step: SimStep, _ process: SimProcess, _ random: inout SimRandom
  ) async {
    guard let key = pick("Appointment", &random) else { return }
    let write = slot.map { ledger.begin(key, $0, token, by: process.name) }
    let result = await process.perform { [ledger] data -> Result<WriteReceipt, AppError> in
      do throws(AppError) {
        return .success(
          try await data.appointments.edit(Appointment.ID(key.id), allowingOverlap: true) {
            appointment throws(AppError) in
            switch slot {
            case .comment?:
              if let write { ledger.saw(write, appointment.comment) }
              appointment.comment = token
            case .start?:
              if let write { ledger.saw(write, appointment.start?.text) }
              appointment.start = Instant(token)
              appointment.end = Instant(token).map { Instant(secondsSince1970: $0.secondsSince1970 + 1_800) }
            default: appointment.status = .known(.cancelled)
            }
          })
      } catch { return .failure(error) }
    }
    if let write { finish([write], result, process, "edit \(key) \(token)") }
  }

  private func editObservation(
    _ slot: SimSlot?, _ token: String, _ process: SimProcess, _ random: inout SimRandom
  ) async {
    guard let key = pick("Observation", &random) else { return }
    let write = slot.map { ledger.begin(key, $0, token, by: process.name) }
    let result = await process.perform { [ledger] data -> Result<WriteReceipt, AppError> in
      do throws(AppError) {
        return .success(
          try await data.observations.edit(ClinicalObservation.ID(key.id)) { observation in
            switch slot {
            case .value?:
              if let write { ledger.saw(write, observation.quantityText) }
              observation.value = .quantity(Quantity(PreciseDecimal(Int(token) ?? 0), ucum: "/min"))
            case .note?:
              if let write {
                ledger.saw(write, observation.note.first?.text, andMore: observation.note.dropFirst().map(\.text))
              }
              observation.note = [Annotation(text: token)]
            default: observation.status = .known(.enteredInError)
            }
          })
      } catch { return .failure(error) }
    }
    if let write { finish([write], result, process, "edit \(key) \(token)") }
  }

  private func finish(_ writes: [Int], _ result: Result<WriteReceipt, AppError>?, _ process: SimProcess, _ what: String)
  {
    switch result {
    case .success(let receipt)?:
      note("\(process.name) \(what): \(receipt.key) entries \(receipt.entries)")
      for write in writes { ledger.acknowledge(write, receipt) }
    case .failure(let error)?:
      note("\(process.name) \(what): \(error.code.rawValue)")
      for write in writes { ledger.fail(write) }
      let expected: Set<AppError.Code> = [.notFound, .deleted, .notAllowed, .cancelled]
      if !expected.contains(error.code), !isDiskTrouble(error) {
        ledger.problem("\(what): \(error.code.rawValue) \(error.message)")
      }
    case nil: note("\(process.name) \(what): died")
    }
  }

  /// Who has written reads what was written, or something newer.
  private func readBack(
    _ key: ResourceKey, _ slot: SimSlot, _ token: String, _ process: SimProcess,
    _ result: Result<WriteReceipt, AppError>?
  ) async {
    guard case .success? = result, !process.isDead else { return }
    let seen = await process.perform { data in
      await data.patients.patient(Patient.ID(key.id), policy: .localOnly).first()?.value
    }
    guard let patient = seen ?? nil else { return }
    let value = patient.value(of: slot)
    if value != token, ledger.isOlder(value, than: token), !wasReset(key) {
      ledger.problem("a read goes back: \(key) \(slot) shows \(value ?? "nothing") after \(token)")
    }
  }

  /// Whether something took values of a record back on purpose.
  func wasReset(_ key: ResourceKey) -> Bool {
    server.wasRestored || ledger.decided.contains(key) || ledger.hasBegunToDiscard || !ledger.discarded.isEmpty
  }
}

extension Patient {
  func value(of slot: SimSlot) -> String? {
    switch slot {
    case .phone: telecom.first { $0.system == .known(.phone) && $0.use == .known(.home) }?.value
    case .city: address.first?.city
    case .family: name.first?.family
    default: nil
    }
  }

  mutating func set(_ slot: SimSlot, _ value: String) {
    switch slot {
    case .phone:
      if let index = telecom.firstIndex(where: { $0.system == .known(.phone) && $0.use == .known(.home) }) {
        telecom[index].value = value
      } else {
        telecom.append(ContactPoint(system: .known(.phone), value: value, use: .known(.home)))
      }
    case .city:
      if address.isEmpty { address = [Address(use: .known(.home), city: value)] } else { address[0].city = value }
    case .family:
      if name.isEmpty { name = [HumanName(family: value)] } else { name[0].family = value }
    default: break
    }
  }
}

extension ClinicalObservation {
  var quantityText: String? {
    if case .quantity(let quantity)? = value { quantity.value.map { "\($0)" } } else { nil }
  }
}
