// swift-tools-version: 6.2
import PackageDescription

// `make apple` compiles on Linux what Apple platforms compile: see "Platforms" in Docs/CONTRIBUTING.md.
let buildsAppleBranch = Context.environment["APPLE_BRANCH"] != nil

let apple: [Platform] = [.macOS, .macCatalyst, .iOS, .tvOS, .watchOS, .visionOS]

// What a platform has, as a name for `#if`: see "Platforms" in Docs/CONTRIBUTING.md.
let capabilities: [SwiftSetting] =
    buildsAppleBranch
    ? [.define("KEYCHAIN")]
    : [
        // The Keychain, of the framework Security.
        .define("KEYCHAIN", .when(platforms: apple)),
        // libcurl.so.4, which `StartSmallCurl` loads.
        .define("CURL_ENGINE", .when(platforms: [.linux])),
        // libpsl.so.5, which comes with libcurl.
        .define("LIBPSL", .when(platforms: [.linux])),
        // The charsets of the C library, where an app links no more of Foundation than FoundationEssentials.
        .define("ICONV", .when(platforms: [.linux])),
        // The `URLSession` of swift-corelibs-foundation, in a module of its own.
        .define("CORELIBS_URLSESSION", .when(platforms: [.linux, .android, .windows])),
    ]

// A release for Linux contains only the code that it reaches: see "Size" in Docs/Performance.md. With
// `STARTSMALL_KEEPS_SYMBOLS` in the environment, all public symbols stay, for a dynamic library that exports them.
//
// The last flag: a metadata cache that files share is in the data of one of them, beside its async functions, which the
// linker would keep with it. There is no `-fdata-sections` in Swift 6.3.
let reachedCodeOnly: [SwiftSetting] =
    Context.environment["STARTSMALL_KEEPS_SYMBOLS"] != nil
    ? []
    : [
        .unsafeFlags(
            [
                "-Xfrontend", "-function-sections", "-Xfrontend", "-internalize-at-link",
                "-Xfrontend", "-disable-concrete-type-metadata-mangled-name-accessors",
            ],
            .when(platforms: [.linux], configuration: .release)
        )
    ]

let settings: [SwiftSetting] =
    [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ] + capabilities + reachedCodeOnly

// The engine of each platform, which `StartSmall` exports. The other one is a product of its own.
let curl: [Target.Dependency] =
    buildsAppleBranch ? [] : [.target(name: "StartSmallCurl", condition: .when(platforms: [.linux]))]
let urlSession: [Target.Dependency] = [
    .target(
        name: "StartSmallURLSession",
        condition: buildsAppleBranch ? nil : .when(platforms: apple + [.android, .windows])
    )
]

/// The module in a folder of `Sources`; without access to `package` names, it uses the public API only, as an app does.
func module(_ folder: String, _ dependencies: [Target.Dependency], isInside: Bool = true) -> Target {
    .target(
        name: lastComponent(of: folder),
        dependencies: dependencies,
        path: "Sources/\(folder)",
        packageAccess: isInside,
        swiftSettings: settings
    )
}

func lastComponent(of folder: String) -> String {
    String(folder[(folder.lastIndex(of: "/").map(folder.index(after:)) ?? folder.startIndex)...])
}

let core: [Target.Dependency] = ["StartSmallCore", "StartSmallSupport", "StartSmallFoundation"]

/// What tests of all modules use.
let support: [Target.Dependency] =
    core + curl
    + ["StartSmall", "StartSmallEngines", "StartSmallHeaders", "StartSmallRetry", "StartSmallTesting", "TestSupport"]

/// The tests in a folder of `Tests`: of a module, or of several.
func tests(
    _ folder: String,
    _ dependencies: [Target.Dependency] = [],
    named name: String? = nil,
    exclude: [String] = [],
    isInside: Bool = true
) -> Target {
    .testTarget(
        name: name ?? lastComponent(of: folder),
        dependencies: support + dependencies,
        path: "Tests/\(folder)",
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
        .library(name: "StartSmallModels", targets: ["StartSmallModels"]),
        .library(name: "StartSmallKit", targets: ["StartSmallKit"]),
        .library(name: "StartSmallTesting", targets: ["StartSmallTesting"]),
        .library(name: "StartSmallTestTraits", targets: ["StartSmallTestTraits"]),
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
            path: "Sources/Engines/CCurl",
            cSettings: buildsAppleBranch ? [] : [.define("CURL_ENGINE", .when(platforms: [.linux]))]
        ),
        module("Core/StartSmallFoundation", []),
        module("Core/StartSmallSupport", ["StartSmallFoundation"]),
        module("Core/StartSmallTemplates", ["StartSmallSupport", "StartSmallFoundation"]),
        module("Core/StartSmallCore", ["StartSmallTemplates", "StartSmallSupport", "StartSmallFoundation"]),
        module("Core/StartSmallHeaders", core),
        module("Core/StartSmallRetry", core + ["StartSmallHeaders"]),
        module("Engines/StartSmallEngines", core + ["StartSmallHeaders"]),
        module(
            "Engines/StartSmallCurl",
            core + ["StartSmallEngines", "StartSmallHeaders"]
                + (buildsAppleBranch ? [] : [.target(name: "CCurl", condition: .when(platforms: [.linux]))])
        ),
        module("Engines/StartSmallURLSession", core + ["StartSmallEngines"]),
        module("StartSmall", core + ["StartSmallEngines", "StartSmallHeaders", "StartSmallRetry"] + curl + urlSession),
        module("Products/StartSmallStreams", core + ["StartSmall", "StartSmallHeaders", "StartSmallRetry"]),
        module("Products/StartSmallAuth", core + ["StartSmallEngines", "StartSmallHeaders"]),
        module("Products/StartSmallForms", core + ["StartSmallEngines", "StartSmallHeaders"]),
        module("Products/StartSmallDownloads", core + ["StartSmallHeaders", "StartSmallRetry"]),
        module("Products/StartSmallJSON", core),
        module("Products/StartSmallDiagnostics", core + ["StartSmall", "StartSmallEngines", "StartSmallForms"]),
        module(
            "Products/StartSmallTesting",
            core + [
                "StartSmall", "StartSmallDiagnostics", "StartSmallEngines", "StartSmallJSON", "StartSmallForms",
                "StartSmallStreams",
            ]
        ),
        module("Products/StartSmallTestTraits", ["StartSmall", "StartSmallTesting"], isInside: false),
        module(
            "Products/StartSmallCaching",
            ["StartSmallCore", "StartSmallHeaders", "StartSmallFoundation"],
            isInside: false
        ),
        module(
            "Products/StartSmallCookies",
            ["StartSmallCore", "StartSmallHeaders", "StartSmallFoundation"],
            isInside: false
        ),
        module("Products/StartSmallMetrics", ["StartSmallCore", "StartSmallFoundation"], isInside: false),
        module(
            "Products/StartSmallResilience",
            ["StartSmallCore", "StartSmallHeaders", "StartSmallRetry", "StartSmallFoundation"],
            isInside: false
        ),
        module("Products/StartSmallModels", ["StartSmallFoundation"], isInside: false),
        module(
            "Products/StartSmallKit",
            [
                "StartSmall", "StartSmallAuth", "StartSmallCaching", "StartSmallCookies", "StartSmallDiagnostics",
                "StartSmallDownloads", "StartSmallForms", "StartSmallJSON", "StartSmallMetrics", "StartSmallModels",
                "StartSmallResilience", "StartSmallStreams",
            ],
            isInside: false
        ),
        module("Examples/GitHubAPI", ["StartSmall", "StartSmallStreams"], isInside: false),
        module("Examples/QiitaAPI", ["StartSmall"], isInside: false),
        // Not a product: apps don't link it. `swift run` finds it by the name of the target.
        .executableTarget(
            name: "start-small",
            dependencies: [
                "StartSmall", "StartSmallAuth", "StartSmallDiagnostics", "StartSmallStreams", "StartSmallTesting",
                "GitHubAPI",
            ],
            path: "Sources/Examples/StartSmallExamples",
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
        tests("Core/StartSmallSupportTests"),
        tests("Core/StartSmallTemplatesTests"),
        tests(
            "Core/StartSmallCoreTests",
            [
                "StartSmallDownloads", "StartSmallJSON", "StartSmallForms", "StartSmallStreams",
                "StartSmallURLSession",
            ]
        ),
        tests("Core/StartSmallHeadersTests"),
        tests("Core/StartSmallRetryTests"),
        tests("Engines/StartSmallEnginesTests", ["StartSmallForms", "StartSmallURLSession"]),
        tests("Engines/StartSmallURLSessionTests", ["StartSmallURLSession"]),
        tests("Engines/EngineContractTests", ["StartSmallForms", "StartSmallURLSession"]),
        tests(
            "StartSmallTests",
            [
                "StartSmallAuth", "StartSmallDiagnostics", "StartSmallDownloads", "StartSmallJSON", "StartSmallMetrics",
                "StartSmallForms", "StartSmallResilience", "StartSmallStreams", "StartSmallURLSession",
            ]
        ),
        tests("Products/StartSmallStreamsTests", ["StartSmallJSON", "StartSmallMetrics", "StartSmallStreams"]),
        tests(
            "Products/StartSmallAuthTests",
            ["StartSmallAuth", "StartSmallDiagnostics", "StartSmallForms", "StartSmallMetrics", "StartSmallResilience"]
        ),
        tests("Products/StartSmallFormsTests", ["StartSmallAuth", "StartSmallDownloads", "StartSmallForms"]),
        tests("Products/StartSmallDownloadsTests", ["StartSmallDownloads"]),
        tests("Products/StartSmallJSONTests", ["StartSmallJSON", "StartSmallStreams"]),
        tests("Products/StartSmallDiagnosticsTests", ["StartSmallDiagnostics", "StartSmallForms"]),
        tests(
            "Products/StartSmallTestingTests",
            [
                "StartSmallAuth", "StartSmallCaching", "StartSmallDiagnostics", "StartSmallDownloads", "StartSmallJSON",
                "StartSmallForms", "StartSmallResilience", "StartSmallStreams",
            ]
        ),
        tests("Products/StartSmallTestTraitsTests", ["StartSmallTestTraits"], exclude: ["Cassettes"]),
        tests("Products/StartSmallCachingTests", ["StartSmallCaching"]),
        tests("Products/StartSmallCookiesTests", ["StartSmallCaching", "StartSmallCookies", "StartSmallURLSession"]),
        tests("Products/StartSmallModelsTests", ["StartSmallForms", "StartSmallJSON", "StartSmallModels"]),
        tests("Products/StartSmallMetricsTests", ["StartSmallMetrics"]),
        tests("Products/StartSmallResilienceTests", ["StartSmallResilience"]),
        tests("Examples/GitHubAPITests", ["GitHubAPI", "StartSmallStreams"]),
        tests("Examples/QiitaAPITests", ["QiitaAPI"]),
        tests("Examples/StartSmallExamplesTests", ["start-small"]),
        tests(
            "DocumentationTests",
            [
                "StartSmallAuth", "StartSmallCaching", "StartSmallCookies", "StartSmallDiagnostics",
                "StartSmallDownloads", "StartSmallForms", "StartSmallMetrics", "StartSmallResilience",
            ],
            exclude: ["Examples"]
        ),
        // The examples of the guides use the public API only, as an app does.
        tests(
            "DocumentationTests/Examples",
            [
                "StartSmallAuth", "StartSmallCaching", "StartSmallCookies", "StartSmallDiagnostics",
                "StartSmallDownloads", "StartSmallJSON", "StartSmallMetrics", "StartSmallForms",
                "StartSmallModels", "StartSmallResilience", "StartSmallStreams", "StartSmallTestTraits", "GitHubAPI",
                "QiitaAPI",
            ],
            named: "GuideTests",
            exclude: ["Cassettes"],
            isInside: false
        ),
        // Wrappers of the kit, made again in small as an app makes its own.
        tests("PublicAPITests", isInside: false),
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
    package.targets.append(tests("Engines/StartSmallCurlTests", ["CCurl", "StartSmallDownloads", "StartSmallForms"]))
}

// `make test TESTS=StartSmallCoreTests` builds no other tests. The SDKs for other systems have no `Testing`: in CI they get
// `TESTS=none`.
if let name = Context.environment["TESTS"] {
    package.targets.removeAll { $0.type == .test && $0.name != name }
    if name == "none" {
        let testing: Set = ["TestSupport", "StartSmallTestTraits"]
        package.targets.removeAll { testing.contains($0.name) }
        package.products.removeAll { testing.contains($0.name) }
    }
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
