import Testing

@testable import Data

@Suite("Addresses")
struct AddressTests {
  @Test(
    "Links resolve as RFC 3986 says, and keep their escapes",
    arguments: [
      // The examples of RFC 3986 §5.4 that a link may contain; fragments are dropped.
      ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
      ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q"),
      ("g#s", "http://a/b/c/g"), (";x", "http://a/b/c/;x"), ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"),
      ("./", "http://a/b/c/"), ("..", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"),
      ("../../../../g", "http://a/g"), ("/./g", "http://a/g"), ("/../g", "http://a/g"), ("g..", "http://a/b/c/g.."),
      ("g?y/../x", "http://a/b/c/g?y/../x"), ("./g/.", "http://a/b/c/g/"), ("g;x=1/../y", "http://a/b/c/y"),
      // Servers' paging links.
      ("/fhir?_getpages=a%2Fb%c3%A9&x=1|2+3", "http://a/fhir?_getpages=a%2Fb%c3%A9&x=1|2+3"),
      ("https://Other.example:8443/R4/./Patient?_id=1", "https://Other.example:8443/R4/./Patient?_id=1"),
      ("urn:uuid:4f0f", "urn:uuid:4f0f"), (" /g ", "http://a/g"), ("?a=b:c", "http://a/b/c/d;p?a=b:c"),
      ("1a:b", nil),
    ] as [(String, String?)])
  func resolve(_ link: String, _ expected: String?) {
    #expect(LinkResolver.resolve(link, against: "http://a/b/c/d;p?q") == expected)
  }

  @Test("A link cannot be resolved against what is not absolute")
  func relativeBase() {
    #expect(LinkResolver.resolve("g", against: "/b/c") == nil)
    #expect(LinkResolver.resolve("g", against: "http://a") == "http://a/g")
  }

  @Test(
    "An origin is scheme, host and port",
    arguments: [
      ("https://Clinic.Example/fhir", "https://clinic.example"),
      ("HTTPS://clinic.example:443", "https://clinic.example"),
      ("http://a:080/x", "http://a"), ("http://a:/x", "http://a"), ("https://a:80?x", "https://a:80"),
      ("http://[::1]:8080/", "http://[::1]:8080"), ("http://[fe80::G]/", nil), ("http://[::1]x/", nil),
      ("http://user@a/", nil), ("http://a:1@b/", nil), ("http://a:65536/", nil), ("http://a:+80/", nil),
      ("http:///x", nil),
      ("ftp://a/", nil), ("a/b", nil), ("http:a", nil), ("http://a\\@b/", nil), ("http://a b/", nil),
      ("http://é/", nil),
    ] as [(String, String?)])
  func origin(_ url: String, _ expected: String?) {
    #expect(Origin(url)?.description == expected)
  }

  @Test("Only the same scheme, host and port are the same origin")
  func sameOrigin() {
    let base = "https://clinic.example/fhir"
    let same = ["https://CLINIC.example:443/other", "https://clinic.example?x"]
    let others = [
      "http://clinic.example/fhir", "https://clinic.example:8443/fhir", "https://clinic.example.evil/fhir",
      "https://evil/https://clinic.example", "//clinic.example/fhir", "urn:x", "",
    ]
    #expect(same.filter { !Origin.sameOrigin(base, $0) } == [])
    #expect(others.filter { Origin.sameOrigin(base, $0) || Origin.sameOrigin($0, base) } == [])
    #expect(!Origin.sameOrigin("urn:x", "urn:x"))
  }

  @Test("Loopback is this machine only")
  func loopback() {
    let hosts = ["localhost", "LOCALHOST:1", "127.0.0.1", "127.255.0.9:80", "[::1]:8080"]
    let others = ["127.0.0.1.example", "127.0.0", "127.0.0.256", "localhost.example", "10.0.0.1", "[::2]", "0.0.0.0"]
    #expect(hosts.filter { Origin("http://\($0)/")?.isLoopback != true } == [])
    #expect(others.filter { Origin("http://\($0)/")?.isLoopback != false } == [])
  }

  @Test(
    "A location tells type, id and version",
    arguments: [
      ("http://h:1/fhir/Patient/p-1/_history/2", ["Patient", "p-1", "2"]),
      ("https://h/Patient/p.1", ["Patient", "p.1"]), ("Patient/1", ["Patient", "1"]), ("/Patient/1", ["Patient", "1"]),
      ("/fhir/r4/Observation/a_b/_history/x-9", ["Observation", "a_b", "x-9"]),
      ("Patient/1/_history/3?_format=json#x", ["Patient", "1", "3"]), ("Patient/1/_history/", ["Patient", "1"]),
      ("Patient/1/", ["Patient", "1"]), (" Patient/1 ", ["Patient", "1"]),
      ("Patient", nil), ("", nil), ("urn:uuid:1", nil), ("Patient?identifier=x", nil), ("patient/1", nil),
      ("Patient/..", nil), ("Patient/a%2Fb", nil), ("Patient/1/_history/2/3", nil), ("Patient/_history/2", nil),
      ("#p", nil),
    ] as [(String, [String]?)])
  func location(_ text: String, _ expected: [String]?) {
    let parsed = FHIRLocation.parse(text).map { [$0.type, $0.id] + ($0.version.map { [$0] } ?? []) }
    #expect(parsed == expected)
  }

  @Test(
    "Search parameters mean themselves to the server",
    arguments: [
      ("identifier", "urn:x:mrn|Q 1", "identifier=urn:x:mrn%7CQ%201"),
      ("name:exact", "Núñez", "name:exact=N%C3%BA%C3%B1ez"),
      ("_lastUpdated", "ge2026-01-01T10:00:02+02:00", "_lastUpdated=ge2026-01-01T10:00:02%2B02:00"),
      ("_id", "a,b", "_id=a%2Cb"), ("x", "&=#?%\"\r\n", "x=%26%3D%23%3F%25%22%0D%0A"),
      ("subject", "Patient/1", "subject=Patient/1"),
      ("empty", "", "empty="),
    ])
  func query(_ name: String, _ value: String, _ expected: String) {
    #expect(SearchQuery.encode([(name, value)]) == expected)
  }

  @Test("Parameters keep their order, and literal marks are escaped")
  func queryOrder() {
    #expect(SearchQuery.encode([("b", "1"), ("a", "2"), ("b", "3")]) == "b=1&a=2&b=3")
    #expect(SearchQuery.escaped("a,b|c$d\\e") == "a\\,b\\|c\\$d\\\\e")
  }
}
