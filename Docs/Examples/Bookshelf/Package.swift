// swift-tools-version: 6.2
import PackageDescription

// A file can't use the members of a module that only another file imports.
let settings: [SwiftSetting] = [.enableUpcomingFeature("MemberImportVisibility")]

let package = Package(
    name: "Bookshelf",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [.library(name: "Bookshelf", targets: ["Bookshelf"])],
    dependencies: [
        // A separate SDK names a URL and a version here.
        .package(name: "StartSmall", path: "../../..")
    ],
    targets: [
        .target(
            name: "Bookshelf",
            dependencies: [
                .product(name: "StartSmall", package: "StartSmall"),
                .product(name: "StartSmallAuth", package: "StartSmall"),
                .product(name: "StartSmallCaching", package: "StartSmall"),
                .product(name: "StartSmallModels", package: "StartSmall"),
                .product(name: "StartSmallResilience", package: "StartSmall"),
                .product(name: "StartSmallStreams", package: "StartSmall"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "BookshelfTests",
            dependencies: [
                "Bookshelf",
                .product(name: "StartSmall", package: "StartSmall"),
                .product(name: "StartSmallAuth", package: "StartSmall"),
                .product(name: "StartSmallModels", package: "StartSmall"),
                .product(name: "StartSmallStreams", package: "StartSmall"),
                .product(name: "StartSmallTesting", package: "StartSmall"),
            ],
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)
