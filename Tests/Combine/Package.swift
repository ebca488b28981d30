// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let package = Package(
    name: "Combine",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "StartSmall", path: "../.."),
        .package(url: "https://github.com/OpenCombine/OpenCombine", exact: "0.14.0"),
    ],
    targets: [
        // The source of the publisher is a link to that of StartSmall, so that what is tested is what Apple platforms have.
        .target(
            name: "StartSmallOpenCombine",
            dependencies: [
                .product(name: "StartSmall", package: "StartSmall"),
                .product(name: "OpenCombine", package: "OpenCombine"),
            ],
            swiftSettings: settings + [.define("OPEN_COMBINE")]
        ),
        .testTarget(
            name: "OpenCombineTests",
            dependencies: [
                "StartSmallOpenCombine",
                .product(name: "StartSmall", package: "StartSmall"),
                .product(name: "StartSmallTesting", package: "StartSmall"),
                .product(name: "OpenCombine", package: "OpenCombine"),
            ],
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)
