// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let package = Package(
    name: "GitHubBrowser",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "github-browser", targets: ["GitHubBrowser"])],
    dependencies: [
        // A separate app names a URL and a version here.
        .package(name: "StartSmall", path: "../../..")
    ],
    targets: [
        .executableTarget(
            name: "GitHubBrowser",
            dependencies: [
                .product(name: "StartSmall", package: "StartSmall"),
                .product(name: "StartSmallDiagnostics", package: "StartSmall"),
                .product(name: "StartSmallStreams", package: "StartSmall"),
                .product(name: "GitHubAPI", package: "StartSmall"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "GitHubBrowserTests",
            dependencies: [
                "GitHubBrowser",
                .product(name: "StartSmall", package: "StartSmall"),
                .product(name: "StartSmallStreams", package: "StartSmall"),
                .product(name: "StartSmallTesting", package: "StartSmall"),
                .product(name: "GitHubAPI", package: "StartSmall"),
            ],
            resources: [.copy("Cassettes")],
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)
