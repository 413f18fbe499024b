public import Domain
public import DesignSystem
public import Observation

/// Copies of the store, whether it is sound, and what an operator should know.
@Observable
public final class StoreViewModel {
  /// What became of the last copy.
  public private(set) var copy: ActionState<StoreCopy> = .idle
  /// What the check found.
  public private(set) var check: LoadState<StoreCheck> = .idle
  /// What became of the restoration.
  public private(set) var restoration: ActionState<StoreRestoration> = .idle
  /// What was saved of a damaged store.
  public private(set) var salvaging: ActionState<StoreSalvage> = .idle
  /// Whether the store is this machine's now.
  public private(set) var adoption: ActionState<Bool> = .idle
  /// Where the store is now.
  public private(set) var move: ActionState<StoreMove> = .idle
  /// What was dropped.
  public private(set) var pruning: ActionState<StorePruning> = .idle
  /// How everything is that keeps the program working.
  public private(set) var diagnosis: LoadState<[Finding]> = .idle

  private let stores: any StoreMaintaining
  private let errors: any ErrorRouting

  /// Creates the model.
  public init(stores: any StoreMaintaining, errors: any ErrorRouting) {
    self.stores = stores
    self.errors = errors
  }

  /// Writes a copy of the store.
  public func backUp(to file: String, replaces: Bool) async {
    copy = .working
    do throws(AppError) {
      copy = .done(try await stores.backup(to: file, replaces: replaces))
    } catch {
      errors.present(error)
      copy = .failed(error)
    }
  }

  /// Checks the store. What is wrong is presented as well.
  public func runCheck() async {
    check = .loading
    do throws(AppError) {
      let result = try await stores.check()
      if let trouble = result.trouble { errors.present(trouble) }
      check = .showing(result)
    } catch {
      errors.present(error)
      check = .failed(error)
    }
  }

  /// Puts a copy in the place of the store.
  public func restore(from file: String, confirmed: Bool) async {
    restoration = .working
    do throws(AppError) {
      restoration = .done(try await stores.restore(from: file, confirmed: confirmed))
    } catch {
      errors.present(error)
      restoration = .failed(error)
    }
  }

  /// Goes on with what can be read of a damaged store.
  public func salvage(confirmed: Bool) async {
    salvaging = .working
    do throws(AppError) {
      salvaging = .done(try await stores.salvage(confirmed: confirmed))
    } catch {
      errors.present(error)
      salvaging = .failed(error)
    }
  }

  /// Moves the store into another folder.
  public func move(to directory: String) async {
    move = .working
    do throws(AppError) {
      move = .done(try await stores.move(to: directory))
    } catch {
      errors.present(error)
      move = .failed(error)
    }
  }

  /// Drops what left the clinic's scopes.
  ///
  /// - Parameter count: How many of the patients last opened are kept.
  public func prune(keepingOpened count: Int, confirmed: Bool) async {
    pruning = .working
    do throws(AppError) {
      pruning = .done(try await stores.prune(keepingOpened: count, confirmed: confirmed))
    } catch {
      errors.present(error)
      pruning = .failed(error)
    }
  }

  /// Lets the store send what it holds, here and to the server that is named.
  public func adopt(confirmed: Bool) async {
    adoption = .working
    do throws(AppError) {
      try await stores.adopt(confirmed: confirmed)
      adoption = .done(true)
    } catch {
      errors.present(error)
      adoption = .failed(error)
    }
  }

  /// Looks at everything. Faults are presented as well, with an exit status each.
  public func diagnose() async {
    diagnosis = .loading
    let findings = await stores.diagnose()
    for finding in findings where finding.verdict == .fault {
      errors.present(
        AppError(finding.code ?? .internalFault, "\(finding.subject): \(finding.text)", hint: finding.next))
    }
    diagnosis = .showing(findings)
  }
}

extension StoreCheck {
  /// The faults as an error; `nil` for a sound store.
  fileprivate nonisolated var trouble: AppError? {
    guard !problems.isEmpty else { return nil }
    return AppError(
      .storeCorrupt, problems.count == 1 ? "the store has a fault" : "the store has \(problems.count) faults",
      hint: "keep a copy of its folder; then store salvage, or store restore FILE")
  }
}
