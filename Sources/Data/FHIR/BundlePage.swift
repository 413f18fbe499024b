package import Domain
package import JSON

/// One Bundle of a search, of a history, or of a batch's or transaction's answers, taken apart.
package struct BundlePage: Sendable {
  /// The Bundle's type as written, such as `searchset`.
  package var type: String?
  /// How many resources match in all, where the server says it.
  package var total: Int?
  /// The link to this page.
  package var selfLink: String?
  /// The link to the next page; `nil` on the last one.
  package var nextLink: String?
  /// What was understood, in order. Outcomes are not among them.
  package var entries: [Entry] = []
  /// What was not understood.
  package var unreadable: [Unreadable] = []
  /// What the server warns of inside the page, and what is odd about the page.
  package var warnings: [String] = []

  /// The entries that answer the question, without what was only included.
  package var matches: [Entry] { entries.filter { $0.mode == .match } }

  /// The resources of one type, in order, those that were only included too.
  package func resources(of type: String) -> [JSONValue] {
    entries.compactMap { entry in
      guard case .resource(let document, _) = entry.content, document["resourceType"]?.string == type else {
        return nil
      }
      return document
    }
  }

  /// One entry.
  package struct Entry: Sendable {
    /// The place in the Bundle, from 0.
    package var index: Int
    /// The entry's own URL as written.
    package var fullURL: String?
    /// Whether it answers the question; an entry without a mode does.
    package var mode: Mode
    /// What the entry holds.
    package var content: Content
    /// The request behind it, in a history.
    package var request: Request?
    /// The answer to it, in a history or in the answer to a batch or transaction.
    package var response: Response?

    /// The resource that is meant, where it has a type and an id.
    package var key: ResourceKey? {
      switch content {
      case .resource(_, let key): key
      case .deletion(let key): key
      case .answer: nil
      }
    }
  }

  /// Why an entry is in a page (hl7.org/fhir/R4/valueset-search-entry-mode.html).
  package enum Mode: Hashable, Sendable {
    /// It answers the question.
    case match
    /// It comes along with an entry that does.
    case include
  }

  /// What an entry holds.
  package enum Content: Sendable {
    /// A resource, with its key where it has an id.
    case resource(JSONValue, key: ResourceKey?)
    /// The deletion of a resource, in a history.
    case deletion(ResourceKey)
    /// Only the answer to a request.
    case answer
  }

  /// The request behind an entry.
  package struct Request: Hashable, Sendable {
    /// The HTTP method.
    package var method: String
    /// The URL, relative to the base as a rule.
    package var url: String
  }

  /// The answer to an entry.
  package struct Response: Hashable, Sendable {
    /// The status line, such as `201 Created`.
    package var status: String
    /// Where the resource lies, for a create.
    package var location: String?
    /// The version, as an ETag.
    package var etag: String?
    /// When the resource was last changed, by the server's clock.
    package var lastModified: Instant?
    /// What the server says about it.
    package var outcome: JSONValue?

    /// The three digits at the start of the status.
    package var statusCode: Int? { Int(status.prefix(3)) }
  }

  /// An entry that was not understood.
  package struct Unreadable: Sendable {
    /// The place in the Bundle, from 0.
    package var index: Int
    /// What is wrong with it.
    package var reason: String
    /// The entry as it came.
    package var raw: JSONValue
  }
}
