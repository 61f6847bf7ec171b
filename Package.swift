// swift-tools-version: 6.2

// The SDK package. It has no dependencies at all, because a package manager resolves every dependency of a root
// manifest for every app that takes it, used or not. The server is the nested package in `server/`.

import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
    name: "martlet",
    platforms: [.iOS(.v13), .macOS(.v15)],
    products: [
        .library(name: "MartletWire", targets: ["MartletWire"])
    ],
    targets: [
        .target(name: "MartletWire", path: "sdk/Sources/MartletWire", swiftSettings: settings),
        .testTarget(
            name: "MartletWireTests",
            dependencies: ["MartletWire"],
            path: "sdk/Tests/MartletWireTests",
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)
