// swift-tools-version: 6.2
import PackageDescription

// `make apple` compiles on Linux what Apple platforms compile: see "Platforms" in Docs/CONTRIBUTING.md.
let buildsAppleBranch = Context.environment["APPLE_BRANCH"] != nil

let apple: [Platform] = [.macOS, .macCatalyst, .iOS, .tvOS, .watchOS, .visionOS]

// What a platform has, as a name for `#if`: see "Platforms" in Docs/CONTRIBUTING.md.
let capabilities: [SwiftSetting] =
    buildsAppleBranch
    ? []
    : [
        // libcurl.so.4, which `StartSmallCurl` loads.
        .define("CURL_ENGINE", .when(platforms: [.linux])),
        // libpsl.so.5, which comes with libcurl.
        .define("LIBPSL", .when(platforms: [.linux])),
        // The charsets of the C library, where an app links no more of Foundation than FoundationEssentials.
        .define("ICONV", .when(platforms: [.linux])),
        // The `URLSession` of swift-corelibs-foundation, in a module of its own.
        .define("CORELIBS_URLSESSION", .when(platforms: [.linux, .android, .windows])),
    ]

let settings: [SwiftSetting] =
    [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ] + capabilities

// The engine of each platform, which `StartSmall` exports. The other one is a product of its own.
let curl: [Target.Dependency] =
    buildsAppleBranch ? [] : [.target(name: "StartSmallCurl", condition: .when(platforms: [.linux]))]
let urlSession: [Target.Dependency] = [
    .target(
        name: "StartSmallURLSession",
        condition: buildsAppleBranch ? nil : .when(platforms: apple + [.android, .windows])
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

let core: [Target.Dependency] = ["StartSmallCore", "StartSmallSupport", "StartSmallFoundation"]

/// What tests of all modules use.
let support: [Target.Dependency] =
    core + curl
    + ["StartSmall", "StartSmallEngines", "StartSmallHeaders", "StartSmallRetry", "StartSmallTesting", "TestSupport"]

/// The tests of a module, or of several.
func tests(
    _ name: String,
    _ dependencies: [Target.Dependency] = [],
    path: String? = nil,
    exclude: [String] = [],
    isInside: Bool = true
) -> Target {
    .testTarget(
        name: name,
        dependencies: support + dependencies,
        path: path,
        exclude: exclude,
        packageAccess: isInside,
        swiftSettings: settings
    )
}

let package = Package(
    name: "StartSmall",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "StartSmall", targets: ["StartSmall"]),
        .library(name: "StartSmallStreams", targets: ["StartSmallStreams"]),
        .library(name: "StartSmallAuth", targets: ["StartSmallAuth"]),
        .library(name: "StartSmallForms", targets: ["StartSmallForms"]),
        .library(name: "StartSmallDownloads", targets: ["StartSmallDownloads"]),
        .library(name: "StartSmallDiagnostics", targets: ["StartSmallDiagnostics"]),
        .library(name: "StartSmallJSON", targets: ["StartSmallJSON"]),
        .library(name: "StartSmallCaching", targets: ["StartSmallCaching"]),
        .library(name: "StartSmallCookies", targets: ["StartSmallCookies"]),
        .library(name: "StartSmallMetrics", targets: ["StartSmallMetrics"]),
        .library(name: "StartSmallResilience", targets: ["StartSmallResilience"]),
        .library(name: "StartSmallTesting", targets: ["StartSmallTesting"]),
        .library(name: "StartSmallCore", targets: ["StartSmallCore"]),
        .library(name: "StartSmallHeaders", targets: ["StartSmallHeaders"]),
        .library(name: "StartSmallRetry", targets: ["StartSmallRetry"]),
        .library(name: "StartSmallEngines", targets: ["StartSmallEngines"]),
        .library(name: "StartSmallCurl", targets: ["StartSmallCurl"]),
        .library(name: "StartSmallURLSession", targets: ["StartSmallURLSession"]),
        .library(name: "GitHubAPI", targets: ["GitHubAPI"]),
        .library(name: "QiitaAPI", targets: ["QiitaAPI"]),
    ],
    dependencies: [],
    targets: [
        .target(
            name: "CCurl",
            cSettings: buildsAppleBranch ? [] : [.define("CURL_ENGINE", .when(platforms: [.linux]))]
        ),
        module("StartSmallFoundation", []),
        module("StartSmallSupport", ["StartSmallFoundation"]),
        module("StartSmallTemplates", ["StartSmallSupport", "StartSmallFoundation"]),
        module("StartSmallCore", ["StartSmallTemplates", "StartSmallSupport", "StartSmallFoundation"]),
        module("StartSmallHeaders", core),
        module("StartSmallRetry", core + ["StartSmallHeaders"]),
        module("StartSmallEngines", core),
        module(
            "StartSmallCurl",
            core + ["StartSmallEngines", "StartSmallHeaders"]
                + (buildsAppleBranch ? [] : [.target(name: "CCurl", condition: .when(platforms: [.linux]))])
        ),
        module("StartSmallURLSession", core + ["StartSmallEngines"]),
        module("StartSmall", core + ["StartSmallEngines", "StartSmallHeaders", "StartSmallRetry"] + curl + urlSession),
        module("StartSmallStreams", core + ["StartSmall", "StartSmallHeaders", "StartSmallRetry"]),
        module("StartSmallAuth", core),
        module("StartSmallForms", core + ["StartSmallEngines"]),
        module("StartSmallDownloads", core + ["StartSmallHeaders", "StartSmallRetry"]),
        module("StartSmallJSON", core),
        module("StartSmallDiagnostics", core + ["StartSmall", "StartSmallForms"]),
        module(
            "StartSmallTesting",
            core + [
                "StartSmall", "StartSmallDiagnostics", "StartSmallEngines", "StartSmallJSON", "StartSmallForms",
                "StartSmallStreams",
            ]
        ),
        module("StartSmallCaching", ["StartSmallCore", "StartSmallHeaders", "StartSmallFoundation"], isInside: false),
        module("StartSmallCookies", ["StartSmallCore", "StartSmallHeaders", "StartSmallFoundation"], isInside: false),
        module("StartSmallMetrics", ["StartSmallCore", "StartSmallFoundation"], isInside: false),
        module(
            "StartSmallResilience",
            ["StartSmallCore", "StartSmallHeaders", "StartSmallRetry", "StartSmallFoundation"],
            isInside: false
        ),
        module("GitHubAPI", ["StartSmall", "StartSmallStreams"], isInside: false),
        module("QiitaAPI", ["StartSmall"], isInside: false),
        // Not a product: apps don't link it. `swift run` finds it by the name of the target.
        .executableTarget(
            name: "start-small",
            dependencies: ["StartSmall", "StartSmallAuth", "StartSmallStreams", "StartSmallTesting", "GitHubAPI"],
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
        .target(
            name: "TestSupport",
            dependencies: [
                "StartSmall", "StartSmallCore", "StartSmallForms", "StartSmallTesting", "StartSmallURLSession",
            ],
            path: "Tests/TestSupport",
            swiftSettings: settings
        ),
        tests("StartSmallSupportTests"),
        tests("StartSmallTemplatesTests"),
        tests(
            "StartSmallCoreTests",
            [
                "StartSmallDownloads", "StartSmallJSON", "StartSmallForms", "StartSmallStreams",
                "StartSmallURLSession",
            ]
        ),
        tests("StartSmallHeadersTests"),
        tests("StartSmallRetryTests"),
        tests("StartSmallEnginesTests", ["StartSmallForms", "StartSmallURLSession"]),
        tests("StartSmallURLSessionTests", ["StartSmallURLSession"]),
        tests("EngineContractTests", ["StartSmallForms", "StartSmallURLSession"]),
        tests(
            "StartSmallTests",
            [
                "StartSmallAuth", "StartSmallDiagnostics", "StartSmallDownloads", "StartSmallJSON", "StartSmallMetrics",
                "StartSmallForms", "StartSmallStreams", "StartSmallURLSession",
            ]
        ),
        tests("StartSmallStreamsTests", ["StartSmallMetrics", "StartSmallStreams"]),
        tests("StartSmallAuthTests", ["StartSmallAuth"]),
        tests("StartSmallFormsTests", ["StartSmallForms"]),
        tests("StartSmallDownloadsTests", ["StartSmallDownloads"]),
        tests("StartSmallJSONTests", ["StartSmallJSON", "StartSmallStreams"]),
        tests("StartSmallDiagnosticsTests", ["StartSmallDiagnostics", "StartSmallForms"]),
        tests(
            "StartSmallTestingTests",
            [
                "StartSmallAuth", "StartSmallDiagnostics", "StartSmallDownloads", "StartSmallJSON",
                "StartSmallForms", "StartSmallStreams",
            ]
        ),
        tests("StartSmallCachingTests", ["StartSmallCaching"]),
        tests("StartSmallCookiesTests", ["StartSmallCaching", "StartSmallCookies", "StartSmallURLSession"]),
        tests("StartSmallMetricsTests", ["StartSmallMetrics"]),
        tests("StartSmallResilienceTests", ["StartSmallResilience"]),
        tests("GitHubAPITests", ["GitHubAPI", "StartSmallStreams"]),
        tests("QiitaAPITests", ["QiitaAPI"]),
        tests("StartSmallExamplesTests", ["start-small"]),
        tests(
            "DocumentationTests",
            [
                "StartSmallAuth", "StartSmallCaching", "StartSmallCookies", "StartSmallDownloads", "StartSmallMetrics",
                "StartSmallResilience",
            ],
            exclude: ["Examples"]
        ),
        // The examples of the guides use the public API only, as an app does.
        tests(
            "GuideTests",
            [
                "StartSmallAuth", "StartSmallCaching", "StartSmallCookies", "StartSmallDiagnostics",
                "StartSmallDownloads", "StartSmallJSON", "StartSmallMetrics", "StartSmallForms",
                "StartSmallResilience", "StartSmallStreams", "GitHubAPI", "QiitaAPI",
            ],
            path: "Tests/DocumentationTests/Examples",
            isInside: false
        ),
        // The modules of new apps are isolated to the main actor by default.
        .testTarget(
            name: "MainActorByDefaultTests",
            dependencies: ["StartSmall", "StartSmallTesting"],
            swiftSettings: [.defaultIsolation(MainActor.self)]
        ),
    ],
    swiftLanguageModes: [.v6]
)

if !buildsAppleBranch {
    package.targets.append(tests("StartSmallCurlTests", ["CCurl", "StartSmallDownloads", "StartSmallForms"]))
}

// `make test TESTS=StartSmallCoreTests` builds no other tests. The SDKs for other systems have no `Testing`: in CI they get
// `TESTS=none`.
if let name = Context.environment["TESTS"] {
    package.targets.removeAll { $0.type == .test && $0.name != name }
    if name == "none" { package.targets.removeAll { $0.name == "TestSupport" } }
}

if buildsAppleBranch {
    for target in package.targets where target.name != "CCurl" {
        target.dependencies.append("AppleBranch")
        // Each file imports the stand-ins for Apple's declarations without saying so.
        let imports: SwiftSetting = .unsafeFlags(["-Xfrontend", "-import-module", "-Xfrontend", "AppleBranch"])
        target.swiftSettings = (target.swiftSettings ?? []) + [.define("APPLE_BRANCH"), imports]
    }
    package.targets.append(.target(name: "AppleBranch", path: "Tests/AppleBranch"))
}
