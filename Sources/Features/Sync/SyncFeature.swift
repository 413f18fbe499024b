public import DesignSystem
public import Domain

/// The sync feature with all that it needs: pages of its routes, and its commands.
public struct SyncFeature {
  let sync: any SyncRepository
  let outbox: any OutboxRepository
  let review: any ReviewRepository
  let resolver: any RecordResolving
  let coordinator: any SyncCoordinating
  let errors: any ErrorRouting
  let context: ClinicContext
  let allowsRequests: Bool
  let progress: (SyncProgress) -> Void
  let announce: (Page) async -> Bool

  /// Creates the feature.
  ///
  /// - Parameters:
  ///   - allowsRequests: False refuses to sync.
  ///   - progress: Told how far a sync has come, for a front that shows it apart from the result.
  ///   - announce: Shows what comes before the result; false when nobody reads it any more.
  public init(
    sync: any SyncRepository, outbox: any OutboxRepository, review: any ReviewRepository,
    resolver: any RecordResolving, coordinator: any SyncCoordinating, errors: any ErrorRouting,
    context: ClinicContext, allowsRequests: Bool = true,
    progress: @escaping (SyncProgress) -> Void = { _ in }, announce: @escaping (Page) async -> Bool = { _ in true }
  ) {
    self.sync = sync
    self.outbox = outbox
    self.review = review
    self.resolver = resolver
    self.coordinator = coordinator
    self.errors = errors
    self.context = context
    self.allowsRequests = allowsRequests
    self.progress = progress
    self.announce = announce
  }

  /// The page of a place.
  ///
  /// - Throws: Why there is nothing to show.
  public func page(at route: SyncRoute, reading: ReadMode) async throws(AppError) -> Page {
    switch route {
    case .status:
      let model = syncModel
      await model.loadStatus(reading: reading)
      return try model.status.page(SyncScreen.page)
    case .outbox:
      let model = outboxModel
      await model.load(reading: reading)
      return try model.list.page(OutboxScreen.page)
    case .outboxItem(let number):
      let model = outboxModel
      await model.load(number)
      return try model.item.page(OutboxScreen.page)
    case .review:
      let model = reviewModel
      await model.load(reading: reading)
      return try model.list.page(ReviewScreen.page)
    case .reviewItem(let number):
      let model = reviewModel
      await model.load(number)
      return try model.item.page(ReviewScreen.page)
    }
  }

  /// Syncs, and reports.
  ///
  /// - Throws: Why the sync could not begin. What it met on the way is in the page, and presented.
  public func sync(_ options: SyncOptions) async throws(AppError) -> Page {
    guard allowsRequests else {
      throw AppError(.offline, "no request may be made: the program was started with --offline")
    }
    let model = syncModel
    await model.start(options)
    switch model.run {
    case .done(let display): return SyncScreen.page(display)
    case .failed(let error): throw error
    case .idle, .running: throw .interrupted
    }
  }

  /// Syncs again and again, and tells of every pass in which something happened.
  ///
  /// - Throws: Why it could not begin, or go on.
  func watch(_ options: SyncOptions) async throws(AppError) -> Page {
    guard allowsRequests else {
      throw AppError(.offline, "no request may be made: the program was started with --offline")
    }
    let model = syncModel
    await model.watch(options) { [announce, clock = context.clock] display in
      await announce(SyncScreen.line(display, at: clock.now()))
    }
    switch model.run {
    case .done(let display): return SyncScreen.page(display)
    case .failed(let error): throw error
    case .idle, .running: throw .interrupted
    }
  }

  var syncModel: SyncViewModel {
    SyncViewModel(sync: sync, errors: errors, context: context, progress: progress)
  }

  var outboxModel: OutboxViewModel {
    OutboxViewModel(outbox: outbox, resolver: resolver, errors: errors, context: context)
  }

  var reviewModel: ReviewViewModel { ReviewViewModel(review: review, errors: errors, context: context) }
}
