extension ContactPoint {
  /// The digits of the value: what two spellings of a number share.
  public var digits: String {
    (value ?? "").filter { $0.isASCII && $0.isNumber }
  }

  /// What to show: the value with its purpose (`+00 555 0103 (mobile)`); `nil` without a value.
  public var displayText: String? {
    guard let value = value?.nonBlank else { return nil }
    guard let use = use?.rawValue.nonBlank else { return value }
    return "\(value) (\(use))"
  }
}

extension Sequence<ContactPoint> {
  /// The telephone to show first: by rank, then mobile before home before work; old ones last, text-only numbers too.
  public var preferredPhone: ContactPoint? {
    func order(_ point: ContactPoint) -> (Int, Int, Int) {
      let use =
        switch point.use?.known {
        case .mobile: 0
        case .home: 1
        case .none: 2
        case .work: 3
        case .temporary: 4
        case .old: 5
        }
      return (point.use?.known == .old ? 1 : 0, point.rank ?? .max, use)
    }
    return filter { ($0.system == .known(.phone) || $0.system == .known(.sms)) && $0.value?.nonBlank != nil }
      .min { order($0) < order($1) }
  }
}
