// swift-tools-version: 6.2
import PackageDescription

// `make apple` compiles on Linux what Apple platforms compile: see "Apple platforms" in Docs/CONTRIBUTING.md.
let buildsAppleBranch = Context.environment["APPLE_BRANCH"] != nil

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

// The engine of each platform, which `StartSmall` exports. The other one is a product of its own.
let curl: [Target.Dependency] =
    buildsAppleBranch ? [] : [.target(name: "StartSmallCurl", condition: .when(platforms: [.linux]))]
let urlSession: [Target.Dependency] = [
    .target(
        name: "StartSmallURLSession",
        condition: buildsAppleBranch ? nil : .when(platforms: [.macOS, .iOS, .tvOS, .watchOS, .visionOS])
    )
]

/// A module of the library; without access to `package` names, it uses the public API only, as an app does.
func module(_ name: String, _ dependencies: [Target.Dependency], isInside: Bool = true) -> Target {
    .target(
        name: name,
        dependencies: dependencies,
        packageAccess: isInside,
        swiftSettings: settings
    )
}

let onlyOnLinux = buildsAppleBranch ? ["Connectors/Curl"] : []

let core: [Target.Dependency] = ["StartSmallCore", "StartSmallSupport", "StartSmallFoundation"]

/// All that tests of the library use.
let library: [Target.Dependency] =
    core + curl + [
        "StartSmallURLSession", "StartSmall", "StartSmallStreams", "StartSmallAuth", "StartSmallMultipart",
        "StartSmallJSON", "StartSmallDiagnostics", "StartSmallTesting", "TestSupport",
    ]

let package = Package(
    name: "StartSmall",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "StartSmall", targets: ["StartSmall"]),
        .library(name: "StartSmallStreams", targets: ["StartSmallStreams"]),
        .library(name: "StartSmallAuth", targets: ["StartSmallAuth"]),
        .library(name: "StartSmallMultipart", targets: ["StartSmallMultipart"]),
        .library(name: "StartSmallDiagnostics", targets: ["StartSmallDiagnostics"]),
        .library(name: "StartSmallJSON", targets: ["StartSmallJSON"]),
        .library(name: "StartSmallCaching", targets: ["StartSmallCaching"]),
        .library(name: "StartSmallCookies", targets: ["StartSmallCookies"]),
        .library(name: "StartSmallMetrics", targets: ["StartSmallMetrics"]),
        .library(name: "StartSmallResilience", targets: ["StartSmallResilience"]),
        .library(name: "StartSmallTesting", targets: ["StartSmallTesting"]),
        .library(name: "StartSmallCore", targets: ["StartSmallCore"]),
        .library(name: "StartSmallCurl", targets: ["StartSmallCurl"]),
        .library(name: "StartSmallURLSession", targets: ["StartSmallURLSession"]),
        .library(name: "GitHubAPI", targets: ["GitHubAPI"]),
        .library(name: "QiitaAPI", targets: ["QiitaAPI"]),
    ],
    dependencies: [],
    targets: [
        .target(name: "CCurl"),
        module("StartSmallFoundation", []),
        module("StartSmallSupport", ["StartSmallFoundation"]),
        module("StartSmallCore", ["StartSmallSupport", "StartSmallFoundation"]),
        module(
            "StartSmallCurl",
            core + (buildsAppleBranch ? [] : [.target(name: "CCurl", condition: .when(platforms: [.linux]))])
        ),
        module("StartSmallURLSession", core),
        module("StartSmall", core + curl + urlSession),
        module("StartSmallStreams", core + ["StartSmall"]),
        module("StartSmallAuth", core),
        module("StartSmallMultipart", core),
        module("StartSmallJSON", core),
        module("StartSmallDiagnostics", core + ["StartSmall", "StartSmallMultipart"]),
        module(
            "StartSmallTesting",
            core + [
                "StartSmall", "StartSmallDiagnostics", "StartSmallJSON", "StartSmallMultipart", "StartSmallStreams",
            ]
        ),
        module("StartSmallCaching", ["StartSmallCore", "StartSmallFoundation"], isInside: false),
        module("StartSmallCookies", ["StartSmallCore", "StartSmallFoundation"], isInside: false),
        module("StartSmallMetrics", ["StartSmallCore", "StartSmallFoundation"], isInside: false),
        module("StartSmallResilience", ["StartSmallCore", "StartSmallFoundation"], isInside: false),
        module("GitHubAPI", ["StartSmall", "StartSmallStreams"], isInside: false),
        module("QiitaAPI", ["StartSmall", "StartSmallStreams"], isInside: false),
        // Not a product: apps don't link it. `swift run` finds it by the name of the target.
        .executableTarget(
            name: "start-small",
            dependencies: core + [
                "StartSmall", "StartSmallAuth", "StartSmallDiagnostics", "StartSmallJSON", "StartSmallStreams",
                "StartSmallTesting", "GitHubAPI",
            ],
            path: "Sources/StartSmallExamples",
            swiftSettings: settings
        ),
        // A test of its own, since each test target links full Foundation.
        .executableTarget(
            name: "without-foundation",
            dependencies: ["StartSmall"],
            path: "Tests/WithoutFoundation",
            exclude: ["run.sh"],
            swiftSettings: settings
        ),
        .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: settings),
        .testTarget(
            name: "StartSmallTests",
            dependencies: library + ["StartSmallMetrics"],
            exclude: onlyOnLinux,
            swiftSettings: settings
        ),
        .testTarget(
            name: "StartSmallTestingTests",
            dependencies: library,
            swiftSettings: settings
        ),
        .testTarget(
            name: "StartSmallCachingTests",
            dependencies: library + ["StartSmallCaching"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "StartSmallCookiesTests",
            dependencies: library + ["StartSmallCaching", "StartSmallCookies"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "StartSmallResilienceTests",
            dependencies: library + ["StartSmallResilience"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "GitHubAPITests",
            dependencies: library + ["GitHubAPI"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "QiitaAPITests",
            dependencies: library + ["QiitaAPI"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "StartSmallExamplesTests",
            dependencies: library + ["start-small"],
            swiftSettings: settings
        ),
        // The modules of new apps are isolated to the main actor by default.
        .testTarget(
            name: "MainActorByDefaultTests",
            dependencies: ["StartSmall", "StartSmallTesting"],
            swiftSettings: [.defaultIsolation(MainActor.self)]
        ),
        .testTarget(
            name: "DocumentationTests",
            dependencies: library + [
                "StartSmallCaching", "StartSmallCookies", "StartSmallMetrics", "StartSmallResilience", "GitHubAPI",
                "QiitaAPI",
            ],
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)

if buildsAppleBranch {
    for target in package.targets where target.name != "CCurl" {
        target.dependencies.append("AppleBranch")
        // Each file imports the stand-ins for Apple's declarations without saying so.
        let imports: SwiftSetting = .unsafeFlags(["-Xfrontend", "-import-module", "-Xfrontend", "AppleBranch"])
        target.swiftSettings = (target.swiftSettings ?? []) + [.define("APPLE_BRANCH"), imports]
    }
    package.targets.append(.target(name: "AppleBranch", path: "Tests/AppleBranch"))
}
