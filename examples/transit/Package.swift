// swift-tools-version: 6.2

// A transit backend beside Martlet: it reads an agency's alerts, finds the riders that they affect, and tells them through
// Martlet's REST interface. It uses nothing of the server's code; only the riders' phones are the repository's own.

import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

extension Target.Dependency {
    static let arguments = product(name: "ArgumentParser", package: "swift-argument-parser")
    static let crypto = product(name: "Crypto", package: "swift-crypto")
    static let flyingFox = product(name: "FlyingFox", package: "FlyingFox")
    static let flyingSocks = product(name: "FlyingSocks", package: "FlyingFox")
    static let phone = product(name: "MartletPhone", package: "sdk")
    static let protobuf = product(name: "SwiftProtobuf", package: "swift-protobuf")
    static let appleStubs = product(name: "AppleStubs", package: "sdk")
}

let package = Package(
    name: "transit",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "transit-matcher", targets: ["transit-matcher"]),
        .executable(name: "transit-feed", targets: ["transit-feed"]),
        .executable(name: "transit-week", targets: ["transit-week"]),
    ],
    dependencies: [
        .package(path: "../../sdk"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.0"),
        .package(url: "https://github.com/apple/swift-protobuf", from: "1.39.0"),
        .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
    ],
    targets: [
        .target(
            name: "GTFSRealtime",
            dependencies: [.protobuf],
            exclude: ["gtfs-realtime-alerts.proto"],
            swiftSettings: settings
        ),
        .target(name: "Transit", dependencies: ["GTFSRealtime", .crypto], swiftSettings: settings),
        .target(
            name: "TransitCity",
            dependencies: ["GTFSRealtime", "Transit", .flyingFox, .flyingSocks],
            swiftSettings: settings
        ),
        .target(name: "RidersApp", dependencies: [.phone, .appleStubs], swiftSettings: settings),
        .target(
            name: "TransitWeek",
            dependencies: ["RidersApp", "Transit", "TransitCity", .phone],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "transit-matcher",
            dependencies: ["Transit", "TransitCity", .arguments],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "transit-feed",
            dependencies: ["Transit", "TransitCity", .arguments],
            swiftSettings: settings
        ),
        .executableTarget(name: "transit-week", dependencies: ["TransitWeek", .arguments], swiftSettings: settings),
        .testTarget(
            name: "TransitTests",
            dependencies: ["GTFSRealtime", "Transit", "TransitCity", .flyingFox, .flyingSocks],
            swiftSettings: settings
        ),
        .testTarget(
            name: "TransitWeekTests",
            dependencies: ["RidersApp", "Transit", "TransitCity", "TransitWeek", .phone],
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)
