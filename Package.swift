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

let onlyOnLinux = buildsAppleBranch ? ["Connectors/Curl"] : []

let package = Package(
    name: "StartSmall",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "StartSmall", targets: ["StartSmall"]),
        .library(name: "StartSmallCaching", targets: ["StartSmallCaching"]),
        .library(name: "StartSmallCookies", targets: ["StartSmallCookies"]),
        .library(name: "StartSmallMetrics", targets: ["StartSmallMetrics"]),
        .library(name: "StartSmallResilience", targets: ["StartSmallResilience"]),
        .library(name: "StartSmallTesting", targets: ["StartSmallTesting"]),
        .library(name: "GitHubAPI", targets: ["GitHubAPI"]),
        .library(name: "QiitaAPI", targets: ["QiitaAPI"]),
    ],
    dependencies: [],
    targets: [
        .target(name: "CCurl"),
        .target(name: "StartSmallFoundation", swiftSettings: settings),
        .target(
            name: "StartSmall",
            dependencies: ["StartSmallFoundation"]
                + (buildsAppleBranch ? [] : [.target(name: "CCurl", condition: .when(platforms: [.linux]))]),
            exclude: onlyOnLinux,
            swiftSettings: settings
        ),
        .target(name: "StartSmallTesting", dependencies: ["StartSmall"], swiftSettings: settings),
        // Without access to `package` names, these use the public API only, as an app does.
        .target(
            name: "StartSmallCaching",
            dependencies: ["StartSmall", "StartSmallFoundation"],
            packageAccess: false,
            swiftSettings: settings
        ),
        .target(
            name: "StartSmallCookies",
            dependencies: ["StartSmall", "StartSmallFoundation"],
            packageAccess: false,
            swiftSettings: settings
        ),
        .target(
            name: "StartSmallMetrics",
            dependencies: ["StartSmall", "StartSmallFoundation"],
            packageAccess: false,
            swiftSettings: settings
        ),
        .target(
            name: "StartSmallResilience",
            dependencies: ["StartSmall", "StartSmallFoundation"],
            packageAccess: false,
            swiftSettings: settings
        ),
        .target(
            name: "GitHubAPI",
            dependencies: ["StartSmall", "StartSmallFoundation"],
            packageAccess: false,
            swiftSettings: settings
        ),
        .target(
            name: "QiitaAPI",
            dependencies: ["StartSmall", "StartSmallFoundation"],
            packageAccess: false,
            swiftSettings: settings
        ),
        // Not a product: apps don't link it. `swift run` finds it by the name of the target.
        .executableTarget(
            name: "start-small",
            dependencies: ["StartSmall", "StartSmallTesting", "GitHubAPI"],
            path: "Sources/StartSmallExamples",
            swiftSettings: settings
        ),
        .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: settings),
        .testTarget(
            name: "StartSmallTests",
            dependencies: ["TestSupport", "StartSmall", "StartSmallMetrics", "StartSmallTesting"],
            exclude: onlyOnLinux,
            swiftSettings: settings
        ),
        .testTarget(
            name: "StartSmallTestingTests",
            dependencies: ["TestSupport", "StartSmall", "StartSmallTesting"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "StartSmallCachingTests",
            dependencies: ["TestSupport", "StartSmallCaching", "StartSmallTesting"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "StartSmallCookiesTests",
            dependencies: ["TestSupport", "StartSmallCaching", "StartSmallCookies", "StartSmallTesting"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "StartSmallResilienceTests",
            dependencies: ["TestSupport", "StartSmallResilience", "StartSmallTesting"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "GitHubAPITests",
            dependencies: ["TestSupport", "GitHubAPI", "StartSmallTesting"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "QiitaAPITests",
            dependencies: ["TestSupport", "QiitaAPI", "StartSmallTesting"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "StartSmallExamplesTests",
            dependencies: ["TestSupport", "start-small", "StartSmallTesting"],
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
            dependencies: [
                "TestSupport", "StartSmall", "StartSmallCaching", "StartSmallCookies", "StartSmallMetrics",
                "StartSmallResilience", "StartSmallTesting", "GitHubAPI", "QiitaAPI",
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
