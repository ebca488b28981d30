// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "StartSmall", path: "../.."),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    ],
    targets: [
        .target(name: "BareCurl"),
        .target(name: "Heap"),
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                "BareCurl",
                "Heap",
                .product(name: "StartSmall", package: "StartSmall"),
                .product(name: "StartSmallTesting", package: "StartSmall"),
                .product(name: "GitHubAPI", package: "StartSmall"),
                // Engines are measured on Linux, and this one takes minutes to build.
                .product(name: "AsyncHTTPClient", package: "async-http-client", condition: .when(platforms: [.linux])),
                .product(name: "NIOCore", package: "swift-nio", condition: .when(platforms: [.linux])),
                .product(name: "NIOFoundationCompat", package: "swift-nio", condition: .when(platforms: [.linux])),
            ],
            swiftSettings: [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]
        ),
    ],
    swiftLanguageModes: [.v6]
)
