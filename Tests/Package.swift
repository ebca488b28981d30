// swift-tools-version: 6.2
// The tests and benchmarks that depend on other packages, so that the package of StartSmall has no dependencies. They
// share one package, since both build the same dependencies, which takes minutes.
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let package = Package(
    name: "Tests",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "StartSmall", path: ".."),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        .package(url: "https://github.com/OpenCombine/OpenCombine", exact: "0.14.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        .target(
            name: "AsyncHTTPClientConnector",
            dependencies: [
                .product(name: "StartSmall", package: "StartSmall"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPCompression", package: "swift-nio-extras"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            path: "Integration/Sources/AsyncHTTPClientConnector",
            swiftSettings: settings
        ),
        .testTarget(
            name: "IntegrationTests",
            dependencies: [
                "TestSupport",
                "AsyncHTTPClientConnector",
                .product(name: "StartSmall", package: "StartSmall"),
                .product(name: "StartSmallAuth", package: "StartSmall"),
                .product(name: "StartSmallForms", package: "StartSmall"),
                .product(name: "StartSmallStreams", package: "StartSmall"),
                .product(name: "StartSmallURLSession", package: "StartSmall"),
                .product(name: "StartSmallTesting", package: "StartSmall"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "HummingbirdHTTP2", package: "hummingbird"),
                .product(name: "HummingbirdTLS", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPCompression", package: "swift-nio-extras"),
                .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            path: "Integration/Tests/IntegrationTests",
            swiftSettings: settings
        ),
        // A link too: a package can only use products of another package, not its other targets.
        .target(name: "TestSupport", path: "Integration/Sources/TestSupport", swiftSettings: settings),
        // The publisher's source is a link to that of StartSmall, so that the tests use the source of Apple platforms.
        .target(
            name: "StartSmallOpenCombine",
            dependencies: [
                .product(name: "StartSmall", package: "StartSmall"),
                .product(name: "OpenCombine", package: "OpenCombine"),
            ],
            path: "Integration/Sources/StartSmallOpenCombine",
            swiftSettings: settings + [.define("OPEN_COMBINE")]
        ),
        .testTarget(
            name: "OpenCombineTests",
            dependencies: [
                "TestSupport",
                "StartSmallOpenCombine",
                .product(name: "StartSmall", package: "StartSmall"),
                .product(name: "StartSmallTesting", package: "StartSmall"),
                .product(name: "OpenCombine", package: "OpenCombine"),
            ],
            path: "Integration/Tests/OpenCombineTests",
            swiftSettings: settings
        ),
        .target(name: "BareCurl", path: "Benchmarks/Sources/BareCurl"),
        .target(name: "Heap", path: "Benchmarks/Sources/Heap"),
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                "BareCurl",
                "Heap",
                .product(name: "StartSmall", package: "StartSmall"),
                .product(name: "StartSmallAuth", package: "StartSmall"),
                .product(name: "StartSmallJSON", package: "StartSmall"),
                .product(name: "StartSmallForms", package: "StartSmall"),
                .product(name: "StartSmallStreams", package: "StartSmall"),
                .product(name: "StartSmallURLSession", package: "StartSmall"),
                .product(name: "StartSmallCaching", package: "StartSmall"),
                .product(name: "StartSmallCookies", package: "StartSmall"),
                .product(name: "StartSmallResilience", package: "StartSmall"),
                .product(name: "StartSmallTesting", package: "StartSmall"),
                .product(name: "GitHubAPI", package: "StartSmall"),
                // Engines are measured on Linux only, and this one takes minutes to build.
                .product(name: "AsyncHTTPClient", package: "async-http-client", condition: .when(platforms: [.linux])),
                .product(name: "NIOCore", package: "swift-nio", condition: .when(platforms: [.linux])),
                .product(name: "NIOFoundationCompat", package: "swift-nio", condition: .when(platforms: [.linux])),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: .when(platforms: [.linux])),
            ],
            path: "Benchmarks/Sources/Benchmarks",
            swiftSettings: [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]
        ),
    ],
    swiftLanguageModes: [.v6]
)
