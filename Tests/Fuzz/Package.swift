// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]

let package = Package(
    name: "Fuzz",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "StartSmall", path: "../..")],
    targets: [
        .target(name: "Heap"),
        .executableTarget(
            name: "Fuzz",
            dependencies: [
                .product(name: "StartSmall", package: "StartSmall"),
                .product(name: "StartSmallAuth", package: "StartSmall"),
                .product(name: "StartSmallDiagnostics", package: "StartSmall"),
                .product(name: "StartSmallJSON", package: "StartSmall"),
                .product(name: "StartSmallEngines", package: "StartSmall"),
                .product(name: "StartSmallForms", package: "StartSmall"),
                .product(name: "StartSmallHeaders", package: "StartSmall"),
                .product(name: "StartSmallDownloads", package: "StartSmall"),
                .product(name: "StartSmallStreams", package: "StartSmall"),
                .product(name: "StartSmallURLSession", package: "StartSmall"),
                .product(name: "StartSmallCaching", package: "StartSmall"),
                .product(name: "StartSmallCookies", package: "StartSmall"),
                .product(name: "StartSmallMetrics", package: "StartSmall"),
                .product(name: "StartSmallModels", package: "StartSmall"),
                .product(name: "StartSmallResilience", package: "StartSmall"),
                .product(name: "StartSmallTesting", package: "StartSmall"),
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "Outage",
            dependencies: [
                .product(name: "StartSmall", package: "StartSmall"),
                .product(name: "StartSmallResilience", package: "StartSmall"),
                .product(name: "StartSmallTesting", package: "StartSmall"),
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "Soak",
            dependencies: [
                "Heap",
                .product(name: "StartSmall", package: "StartSmall"),
                .product(name: "StartSmallAuth", package: "StartSmall"),
                .product(name: "StartSmallDownloads", package: "StartSmall"),
                .product(name: "StartSmallStreams", package: "StartSmall"),
                .product(name: "StartSmallURLSession", package: "StartSmall"),
                .product(name: "StartSmallMetrics", package: "StartSmall"),
                .product(name: "StartSmallResilience", package: "StartSmall"),
                .product(name: "StartSmallTesting", package: "StartSmall"),
            ],
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)
