// swift-tools-version: 6.2

// The SDK where it is developed: the sources of the root manifest, which apps add by URL, with what apps never see. On
// Linux those are stand-ins for Apple's frameworks, a virtual phone over them, and the tests; the server, its wire format
// and the examples take the SDK from here. `scripts/check-package` holds the two manifests together.

import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

/// A target of the SDK in its folder under `Sources`.
func source(_ name: String, _ dependencies: [Target.Dependency] = [], resources: [Resource]? = nil) -> Target {
    .target(
        name: name,
        dependencies: dependencies,
        path: "Sources/\(name)",
        resources: resources,
        swiftSettings: settings
    )
}

/// A test target in its folder under `Tests`.
func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: dependencies, path: "Tests/\(name)", swiftSettings: settings)
}

// The stand-ins for Apple's frameworks exist only where the manifest is read on Linux: an Apple host never sees a target
// called UIKit. The condition on the edges keeps them out where Linux builds for another system.
var appleStubs: [Target.Dependency] = []
// What needs Objective-C's runtime; scripts/check-bridges runs it under GNUstep.
var objectiveC: [Target.Dependency] = []
#if os(Linux)
    func stub(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
        .target(name: name, dependencies: dependencies, path: "AppleStubs/\(name)", swiftSettings: settings)
    }
    func example(_ name: String, _ folder: String, _ mode: SwiftLanguageMode, _ stubs: [Target.Dependency]) -> Target {
        .executableTarget(
            name: name,
            dependencies: ["PushNotificationSDK"] + stubs,
            path: "Tests/IntegrationExample/\(folder)",
            swiftSettings: [.swiftLanguageMode(mode)]
        )
    }
    let stubs = [
        stub("UserNotifications"),
        stub("UIKit", ["UserNotifications"]),
        stub("SafariServices", ["UIKit"]),
        // Swift Testing declares its overlay for UIKit on Linux too, without the module.
        stub("_Testing_UIKit", ["UIKit"]),
    ]
    appleStubs = stubs.map { .target(name: $0.name, condition: .when(platforms: [.linux])) }
#else
    objectiveC = ["PushNotificationSDKObjC"]
#endif

var products: [Product] = [
    // What travels between the SDK and the server, which is another package.
    .library(name: "MartletWire", targets: ["MartletWire"]),
    .library(name: "PushNotificationSDK", targets: ["PushNotificationSDK"]),
    .library(name: "PushNotificationServiceExtension", targets: ["PushNotificationServiceExtension"]),
    // Views over the SDK, for Apple's systems; everywhere their models and texts.
    .library(name: "PushNotificationSDKUI", targets: ["PushNotificationSDKUI"]),
    // What C, and with it Unity and Unreal, link: to be loaded, or as a part of the app.
    .library(name: "PushNotificationSDKC", type: .dynamic, targets: ["PushNotificationSDKC"]),
    .library(name: "PushNotificationSDKCStatic", type: .static, targets: ["PushNotificationSDKC"]),
]
var targets: [Target] = [
    source("MartletWireBase"),
    source("MartletWire", ["MartletWireBase"]),
    // All that a service extension links.
    source("PushNotificationSDKBase", ["MartletWireBase"]),
    source("PushNotificationSDKCore", ["MartletWire", "PushNotificationSDKBase"]),
    source("PushNotificationSDKApple", ["PushNotificationSDKCore"] + objectiveC + appleStubs),
    source(
        "PushNotificationSDK",
        ["PushNotificationSDKCore", "PushNotificationSDKApple"],
        resources: [.copy("Resources/PrivacyInfo.xcprivacy")]
    ),
    source("PushNotificationSDKUI", ["MartletWire", "PushNotificationSDKCore"]),
    source(
        "PushNotificationServiceExtension",
        ["PushNotificationSDKBase"] + appleStubs,
        resources: [.copy("Resources/PrivacyInfo.xcprivacy")]
    ),
    .target(name: "CPushNotificationSDK", path: "Sources/CPushNotificationSDK"),
    source(
        "PushNotificationSDKC",
        ["CPushNotificationSDK", "MartletWire", "PushNotificationSDKCore", "PushNotificationSDKApple"] + appleStubs,
        resources: [.copy("Resources/PrivacyInfo.xcprivacy")]
    ),
    // Doubles for tests of the SDK; no product holds them.
    .target(
        name: "PushNotificationSDKTesting",
        dependencies: ["MartletWire", "PushNotificationSDKCore"],
        path: "Tests/Support",
        swiftSettings: settings
    ),
    tests("MartletWireTests", ["MartletWire"]),
    tests("PushNotificationEventsTests", ["MartletWire", "PushNotificationSDKCore", "PushNotificationSDKTesting"]),
    tests(
        "PushNotificationServiceExtensionTests",
        ["MartletWire", "PushNotificationSDKCore", "PushNotificationServiceExtension", "PushNotificationSDKTesting"]
            + appleStubs
    ),
    tests(
        "PushNotificationSDKUITests",
        ["MartletWire", "PushNotificationSDKCore", "PushNotificationSDKUI", "PushNotificationSDKTesting"]
    ),
    tests(
        "PushNotificationSDKCTests",
        ["CPushNotificationSDK", "PushNotificationSDKC", "PushNotificationSDKCore", "PushNotificationSDKTesting"]
    ),
]

#if os(Linux)
    products.append(.library(name: "MartletPhone", targets: ["MartletPhone"]))
    // What an app for such a phone imports in place of Apple's frameworks.
    products.append(.library(name: "AppleStubs", targets: ["UIKit", "UserNotifications"]))
    // The bridges' library together with a phone for their examples; `scripts/check-bridges` links it.
    products.append(.library(name: "PushHooks", type: .dynamic, targets: ["PushNotificationSDKC", "PushHooks"]))
    targets += stubs
    targets += [
        .target(name: "CPushHooks", path: "Bridges/hooks/CPushHooks"),
        .target(
            name: "PushHooks",
            dependencies: [
                "CPushHooks", "CPushNotificationSDK", "MartletWire", "PushNotificationSDKC", "PushNotificationSDKCore",
                "PushNotificationSDKApple", "PushNotificationSDKTesting",
            ] + appleStubs,
            path: "Bridges/hooks/PushHooks",
            swiftSettings: settings
        ),
        tests("AppleStubsTests", appleStubs),
        tests(
            "PushNotificationSDKTests",
            [
                "MartletWire", "PushNotificationSDKCore", "PushNotificationSDKApple", "PushNotificationSDK",
                "PushNotificationSDKTesting", "IntegrationExample5", "IntegrationExample6",
            ] + appleStubs
        ),
        // The specified integration example, in both language modes.
        example("IntegrationExample5", "Swift5", .v5, appleStubs),
        example("IntegrationExample6", "Swift6", .v6, appleStubs),
        // The SDK's figures of `make bench`.
        .executableTarget(
            name: "martlet-sdk-bench",
            dependencies: ["MartletWire", "PushNotificationSDKCore", "PushNotificationSDKTesting"],
            path: "Benchmarks/martlet-sdk-bench",
            swiftSettings: settings
        ),
        // A phone in memory: the real SDK over the stand-ins.
        source(
            "MartletPhone",
            ["MartletWire", "PushNotificationSDKCore", "PushNotificationSDKApple", "PushNotificationServiceExtension"]
                + appleStubs
        ),
        tests(
            "MartletPhoneTests",
            [
                "MartletPhone", "PushNotificationSDK", "PushNotificationSDKCore", "PushNotificationSDKTesting",
                "IntegrationExample5", "IntegrationExample6",
            ] + appleStubs
        ),
    ]
#endif

#if !os(Linux)
    products.append(.library(name: "PushNotificationSDKBridge", targets: ["PushNotificationSDKBridge"]))
    targets += [
        .target(name: "PushNotificationSDKObjC", path: "Sources/PushNotificationSDKObjC"),
        .target(
            name: "PushNotificationSDKBridge",
            dependencies: ["CPushNotificationSDK", "PushNotificationSDKC"],
            path: "Sources/PushNotificationSDKBridge"
        ),
    ]
#endif

// `MARTLET_TESTS=AppleStubsTests swift test --package-path sdk` builds that suite only.
if let chosen = Context.environment["MARTLET_TESTS"]?.split(separator: ",").map(String.init) {
    targets.removeAll { $0.type == .test && !chosen.contains($0.name) }
}

let package = Package(
    name: "martlet",
    // The apps' own, and macOS for what a Mac runs of the tests and the wire format.
    platforms: [.iOS(.v13), .macCatalyst(.v13), .tvOS(.v13), .visionOS(.v1), .macOS(.v15)],
    products: products,
    targets: targets,
    swiftLanguageModes: [.v6]
)
