// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "StartSmall", path: "../..")],
    targets: [
        .target(name: "BareCurl"),
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                "BareCurl",
                .product(name: "StartSmall", package: "StartSmall"),
                .product(name: "GitHubAPI", package: "StartSmall"),
            ],
            swiftSettings: [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]
        ),
    ],
    swiftLanguageModes: [.v6]
)
