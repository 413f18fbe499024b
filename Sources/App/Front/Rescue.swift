import DesignSystem
import Domain
import Sync

/// Runs the lines that care for a store when that store cannot be opened.
struct Rescue {
  let stores: any StoreMaintaining
  let settings: Settings
  let clock: WallClock
  let printer: Printer
  let interruption: Interruption

  func run(_ invocation: Invocation, isConfirmed: Bool, style: OutputStyle) async throws(OutputClosed) -> ExitStatus {
    let errors = ErrorRouter()
    let context = ClinicContext(zone: settings.zone, clock: clock, author: settings.author, reading: .local)
    let commands = StoreCommands.commands(of: StoreUpkeep(stores: stores, errors: errors, context: context))
    guard let command = commands.first(where: { $0.spec == invocation.spec }) else { return .notUnderstood }
    var invocation = invocation
    if isConfirmed { invocation.confirmed = true }
    let final = invocation
    let result = await interruption.perform {
      do throws(AppError) {
        return Result<Page, AppError>.success(try await command.run(final))
      } catch {
        return .failure(error)
      }
    }
    switch result {
    case .success(let page): try await printer.show(page, style: style, rows: .none)
    case .failure(let error): errors.present(error)
    }
    let presented = errors.take().map(\.error)
    let status = ExitStatus.decisive(of: presented.map { ExitStatus($0.code) })
    for error in presented {
      let explained = error.code == .needsConfirmation ? error.refusingToGuess : error
      try await printer.show(explained, status: status, at: nil, style: style)
    }
    return interruption.signal ?? status
  }
}
