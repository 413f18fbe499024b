public import Domain
import Foundation

/// The data layer of one clinic: repositories over one store and one server. What an app opens at its start.
public struct ClinicData: Sendable {
  /// The repositories, as Domain knows them.
  public let patients: any PatientRepository
  /// Appointments.
  public let appointments: any AppointmentRepository
  /// Planned time: Schedule and Slot.
  public let schedules: any ScheduleRepository
  /// Observations.
  public let observations: any ObservationRepository
  /// Visits.
  public let encounters: any EncounterRepository
  /// Problems.
  public let conditions: any ChartRepository<Condition>
  /// Allergies.
  public let allergies: any ChartRepository<AllergyIntolerance>
  /// Medications.
  public let medications: any ChartRepository<MedicationRequest>
  /// Vaccinations.
  public let immunizations: any ChartRepository<Immunization>
  /// Clinical notes.
  public let notes: any ChartRepository<DocumentReference>
  /// Practitioners.
  public let practitioners: any PractitionerRepository
  /// Locations.
  public let locations: any LocationRepository
  /// Finds records by what people call them.
  public let resolver: any RecordResolving
  /// Brings store and server together.
  public let sync: any SyncRepository
  /// What is not accepted yet.
  public let outbox: any OutboxRepository
  /// What needs a person.
  public let review: any ReviewRepository
  /// Copies of the store, and whether it is sound.
  public let stores: any StoreMaintaining
  /// Who works here now.
  public let identity: any IdentityRepository
  /// Where its users were last.
  public let places: any PlaceRepository
  /// Who writes now.
  public var author: Author { identity.author }

  /// The types of record that are pulled.
  public static let pulledTypes = PullPlan.types + PullPlan.offeredTypes

  package let store: Store
  private let transport: CurlTransport?
  private let isOnline: Bool

  /// What to open, and as whom.
  public struct Configuration: Sendable {
    /// The store's folder. It is made when it is not there, for the owner only.
    public var directory: String
    /// The server's base URL; `nil` works locally only.
    public var server: String?
    /// A file that holds a bearer token on its first line; read anew for every request.
    public var tokenFile: String?
    /// Who writes.
    public var author: Author
    /// True keeps reads from asking the server. A sync still does.
    public var isOffline: Bool
    /// Whether this identity sends the entries of all authors.
    public var isServiceIdentity: Bool
    /// Whether plain `http` to other machines is allowed. Loopback always is.
    public var allowsPlainHTTP: Bool
    /// The longest time for one request.
    public var requestTimeout: Duration

    /// What of the server's records is pulled; `nil` for all of them.
    public var selection: PullSelection?
    /// For how long answers count as fresh.
    public var windows: FreshnessWindows

    /// Whether edits join those that were never sent. Off, the same ends at the server in more requests: the tests
    /// compare the two.
    package var squashes = true

    /// The file system below SQLite; `nil` for the machine's own. The tests put a failing disk there.
    package var vfs: String?

    /// Creates a configuration.
    public init(
      directory: String, server: String? = nil, tokenFile: String? = nil, author: Author, isOffline: Bool = false,
      isServiceIdentity: Bool = false, allowsPlainHTTP: Bool = false, requestTimeout: Duration = .seconds(30),
      selection: PullSelection? = nil, windows: FreshnessWindows = .clinical
    ) {
      self.directory = directory
      self.server = server
      self.tokenFile = tokenFile
      self.author = author
      self.isOffline = isOffline
      self.isServiceIdentity = isServiceIdentity
      self.allowsPlainHTTP = allowsPlainHTTP
      self.requestTimeout = requestTimeout
      self.selection = selection
      self.windows = windows
    }
  }

  /// Opens the store, or makes it, and gives the repositories over it.
  ///
  /// - Throws: `storeNewer`, `storeCorrupt`, `storeUnavailable`, `storeFull`, `storeMismatch`; `invalidInput` for a
  ///   server that is not an http or https URL.
  public static func open(_ configuration: Configuration) async throws(AppError) -> ClinicData {
    let identity = Identity(
      owner: configuration.author, tokenFile: configuration.tokenFile, isService: configuration.isServiceIdentity)
    var transport: CurlTransport?
    var authorized: (any HTTPTransport)?
    if let server = configuration.server {
      guard let origin = Origin(server), ["http", "https"].contains(origin.scheme) else {
        throw AppError(
          .invalidInput, "\"\(server)\" is not the address of a server", hint: "give a URL such as https://host/fhir",
          field: "server")
      }
      let curl = CurlTransport(configuration: CurlConfiguration(allowsPlainHTTP: configuration.allowsPlainHTTP))
      transport = curl
      authorized = BearerAuthorizingTransport(base: curl, origin: origin) {
        try identity.tokenFile.map { path in try TokenFile.read(path) }
      }
    }
    return try await open(configuration, effects: .live, transport: authorized, owned: transport, identity)
  }

  /// Opens with effects and a transport of the caller's: a test is the world.
  package static func open(
    _ configuration: Configuration, effects: Effects, transport: (any HTTPTransport)?
  ) async throws(AppError) -> ClinicData {
    try await open(
      configuration, effects: effects, transport: transport, owned: nil,
      Identity(owner: configuration.author, tokenFile: nil, isService: configuration.isServiceIdentity))
  }

  private static func open(
    _ configuration: Configuration, effects: Effects, transport: (any HTTPTransport)?, owned: CurlTransport?,
    _ identity: Identity
  ) async throws(AppError) -> ClinicData {
    let server = configuration.server.map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 }
    let store = try await StoreIdentity.open(
      StoreFiles(directory: configuration.directory), server: server, machine: MachineIdentity.current(),
      effects: effects, vfs: configuration.vfs)
    return ClinicData(
      configuration, store: store, server: server, transport: transport, owned: owned, identity: identity)
  }

  private init(
    _ configuration: Configuration, store: Store, server: String?, transport: (any HTTPTransport)?,
    owned: CurlTransport?, identity: Identity
  ) {
    let clock = store.effects.clock
    var timeouts = HTTPTimeouts.standard
    timeouts.total = configuration.requestTimeout
    timeouts.stall = min(timeouts.stall, configuration.requestTimeout)
    var client: FHIRClient?
    if let server, let transport {
      client = FHIRClient(
        base: server, transport: transport, timeouts: timeouts, nowSeconds: { clock.now().secondsSince1970 })
    }
    let context = StoreContext(
      store: store, revalidator: configuration.isOffline ? nil : client.map { Revalidator(store: store, client: $0) },
      windows: configuration.windows, plan: PullPlan(selection: configuration.selection),
      author: { identity.author }, squashes: configuration.squashes)
    self.store = store
    self.identity = identity
    places = PlaceStore(store: store)
    self.transport = owned
    isOnline = client != nil && !configuration.isOffline
    patients = PatientStore(context: context)
    appointments = AppointmentStore(context: context)
    schedules = ScheduleStore(context: context)
    observations = ObservationStore(context: context)
    encounters = EncounterStore(context: context)
    conditions = ChartStore<Condition>(context: context)
    allergies = ChartStore<AllergyIntolerance>(context: context)
    medications = ChartStore<MedicationRequest>(context: context)
    immunizations = ChartStore<Immunization>(context: context)
    notes = ChartStore<DocumentReference>(context: context)
    practitioners = PractitionerStore(context: context)
    locations = LocationStore(context: context)
    resolver = StoreResolver(context: context)
    outbox = OutboxStore(context: context, sender: { identity.sender })
    review = ReviewStore(context: context)
    let runner = SyncRunner(
      context: context, client: client, sender: { identity.sender }, processName: MachineIdentity.processName())
    identity.changeBetweenPasses { work in await runner.between(work) }
    sync = runner
    stores = StoreMaintenance(
      configuration, effects: store.effects, client: configuration.isOffline ? nil : client,
      closeConnections: { await store.close() })
  }

  /// Care for a store that cannot be opened. No request is made.
  public static func maintenance(_ configuration: Configuration) -> any StoreMaintaining {
    StoreMaintenance(configuration, effects: .live, client: nil, closeConnections: {})
  }

  /// Keeps the store in step with the server, and with what other processes write, until the returned work is ended.
  ///
  /// For sessions. What is on a screen hears of changes through its own reads.
  public func startBackgroundWork() -> BackgroundWork {
    let watch = ForeignCommitWatch(store: store)
    var works = [store.effects.spawner.spawn { await watch.run() }]
    if isOnline {
      let background = BackgroundSync(store: store, sync: sync)
      works.append(store.effects.spawner.spawn { await background.run() })
    }
    return BackgroundWork(works: works)
  }

  /// An element whenever the store may have changed, by this process or, while background work runs, by another. What a
  /// slow reader misses is merged.
  public func changes() -> AsyncStream<Void> {
    let subscription = store.hub.subscribe()
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let work = store.effects.spawner.spawn {
      for await _ in subscription.wakes {
        _ = subscription.take()
        continuation.yield()
      }
      continuation.finish()
    }
    continuation.onTermination = { _ in
      subscription.cancel()
      work.cancel()
    }
    return stream
  }

  /// What goes on behind a session.
  public struct BackgroundWork: Sendable {
    fileprivate let works: [SpawnedWork]

    /// Ends it, and waits until it has: what is with the server is found out about by the next sync.
    public func end() async {
      for work in works { work.cancel() }
      for work in works { await work.finished() }
    }
  }

  /// Ends the network thread and closes the store's connections.
  ///
  /// The thread is not waited for, since a name that it is looking up may take as long as the system likes. A process that
  /// ends right afterwards does so by `_exit(2)`: the exit handlers of libraries that it uses would run beside it.
  public func close() async {
    transport?.shutdown()
    // What a checkpoint would save the next start is not worth an error now.
    try? await store.checkpointIfLarge()
    await store.close()
  }
}
