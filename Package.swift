// swift-tools-version: 6.2
import PackageDescription

/// Settings of every Swift target. Warnings become errors in `Scripts/check`.
let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

/// Settings of the targets that live on the main actor: features and the app.
let mainActor: [SwiftSetting] = strict + [.defaultIsolation(MainActor.self)]

/// Fail points exist in debug builds only: a release product has no way to stop in the middle.
let failPoints: [SwiftSetting] = strict + [.define("FAIL_POINTS", .when(configuration: .debug))]

/// The features. Each may use `Domain` and `DesignSystem`, never `Data` and never a sibling.
let features = ["Patients", "Scheduling", "Visits", "Chart", "Sync"]

func systemLibrary(_ name: String, pkgConfig: String, debian: String) -> Target {
  .systemLibrary(
    name: name, path: "Sources/System/\(name)", pkgConfig: pkgConfig, providers: [.apt([debian])])
}

let package = Package(
  name: "clinic",
  products: [
    .library(name: "Domain", targets: ["Domain"]),
    .library(name: "Data", targets: ["Data"]),
    .library(name: "DesignSystem", targets: ["DesignSystem"]),
    .library(name: "Features", targets: features),
    .library(name: "MockServer", targets: ["MockServer"]),
    .executable(name: "clinic", targets: ["App"]),
    .executable(name: "clinic-mock-server", targets: ["MockServerCommand"]),
    .executable(name: "clinic-bench", targets: ["Benchmarks"]),
    .executable(name: "clinic-sim", targets: ["SimulationCommand"]),
  ],
  targets: [
    systemLibrary("CSQLite", pkgConfig: "sqlite3", debian: "libsqlite3-dev"),
    // Not linked: libcurl is loaded when it is first needed.
    .target(name: "CCurl", path: "Sources/System/CCurl"),
    systemLibrary("CMicroHTTPD", pkgConfig: "libmicrohttpd", debian: "libmicrohttpd-dev"),
    systemLibrary("CEdit", pkgConfig: "libedit", debian: "libedit-dev"),
    .systemLibrary(name: "CProcess", path: "Sources/System/CProcess"),

    .target(name: "Domain", swiftSettings: strict),
    .target(name: "JSON", swiftSettings: strict),
    .target(
      name: "Data", dependencies: ["Domain", "JSON", "CSQLite", "CCurl"],
      swiftSettings: failPoints),
    .target(name: "DesignSystem", dependencies: ["Domain", "JSON"], swiftSettings: strict),
  ]
    + features.map {
      .target(
        name: $0, dependencies: ["Domain", "DesignSystem"], path: "Sources/Features/\($0)",
        swiftSettings: mainActor)
    }
    + [
      .executableTarget(
        name: "App",
        dependencies: ["Domain", "Data", "DesignSystem", "CEdit", "CProcess"]
          + features.map { .target(name: $0) },
        swiftSettings: mainActor),
      .target(name: "MockServer", dependencies: ["JSON", "CMicroHTTPD"], swiftSettings: strict),
      .executableTarget(
        name: "MockServerCommand", dependencies: ["MockServer", "JSON"], swiftSettings: strict),

      .executableTarget(
        name: "Benchmarks", dependencies: ["Data", "Domain", "MockServer", "CSQLite", "CCurl"], path: "Benchmarks",
        swiftSettings: strict),

      .target(name: "CFaultyDisk", dependencies: ["CSQLite"], path: "Tests/FaultyDisk"),
      .target(
        name: "TestSupport", dependencies: ["Domain", "JSON", "Data", "MockServer", "CFaultyDisk"],
        path: "Tests/TestSupport", swiftSettings: strict),
      .target(
        name: "Simulation", dependencies: ["Domain", "JSON", "Data", "MockServer", "TestSupport"],
        path: "Tests/Simulation", swiftSettings: strict),
      .executableTarget(
        name: "SimulationCommand", dependencies: ["Simulation"], path: "Tests/SimulationCommand",
        swiftSettings: strict),
      .testTarget(
        name: "SimulationTests", dependencies: ["Simulation", "SimulationCommand", "TestSupport"], swiftSettings: strict
      ),
      .testTarget(name: "DomainTests", dependencies: ["Domain"], swiftSettings: strict),
      .testTarget(name: "JSONTests", dependencies: ["JSON"], swiftSettings: strict),
      .testTarget(
        name: "DataTests",
        dependencies: ["Data", "Domain", "JSON", "MockServer", "TestSupport", "CSQLite"],
        swiftSettings: failPoints),
      .testTarget(
        name: "DesignSystemTests", dependencies: ["DesignSystem", "Domain"], swiftSettings: strict),
      .testTarget(
        name: "FeatureTests",
        dependencies: ["Domain", "DesignSystem", "TestSupport"]
          + features.map { .target(name: $0) },
        swiftSettings: mainActor),
      .testTarget(
        name: "AppTests",
        dependencies: ["App", "Data", "Domain", "DesignSystem", "TestSupport"]
          + features.map { .target(name: $0) },
        swiftSettings: mainActor),
      .testTarget(
        name: "MockServerTests", dependencies: ["MockServer", "MockServerCommand", "JSON", "TestSupport"],
        swiftSettings: strict),
      .testTarget(
        name: "IntegrationTests",
        dependencies: [
          "App", "MockServerCommand", "MockServer", "Data", "Domain", "JSON", "TestSupport", "CSQLite",
        ],
        swiftSettings: strict),
      .testTarget(name: "ArchitectureTests", swiftSettings: strict),
    ],
  swiftLanguageModes: [.v6]
)
