public import DesignSystem
public import Domain

/// Care for the store: its commands and what they need. It works without a store that can be opened.
public struct StoreUpkeep {
  let stores: any StoreMaintaining
  let errors: any ErrorRouting
  let context: ClinicContext

  /// Creates it.
  public init(stores: any StoreMaintaining, errors: any ErrorRouting, context: ClinicContext) {
    self.stores = stores
    self.errors = errors
    self.context = context
  }

  var model: StoreViewModel { StoreViewModel(stores: stores, errors: errors) }
}
