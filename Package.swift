// swift-tools-version: 6.2

// The SDK package. It has no dependencies at all, because a package manager resolves every dependency of a root
// manifest for every app that takes it, used or not. The server is the nested package in `server/`.

import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

/// A target of the SDK in its folder under `sdk/Sources`.
func source(_ name: String, _ dependencies: [Target.Dependency] = [], resources: [Resource]? = nil) -> Target {
    .target(
        name: name,
        dependencies: dependencies,
        path: "sdk/Sources/\(name)",
        resources: resources,
        swiftSettings: settings
    )
}

/// A test target in its folder under `sdk/Tests`.
func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: dependencies, path: "sdk/Tests/\(name)", swiftSettings: settings)
}

// The stand-ins for Apple's frameworks exist only where the manifest is read on Linux: an Apple host never sees a target
// called UIKit. The condition on the edges keeps them out where Linux builds for another system.
var appleStubs: [Target.Dependency] = []
// What needs Objective-C's runtime; scripts/check-bridges runs it under GNUstep.
var objectiveC: [Target.Dependency] = []
#if os(Linux)
    func stub(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
        .target(name: name, dependencies: dependencies, path: "sdk/AppleStubs/\(name)", swiftSettings: settings)
    }
    func example(_ name: String, _ folder: String, _ mode: SwiftLanguageMode, _ stubs: [Target.Dependency]) -> Target {
        .executableTarget(
            name: name,
            dependencies: ["PushNotificationSDK"] + stubs,
            path: "sdk/Tests/IntegrationExample/\(folder)",
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
    let objectiveCTarget = Target.target(
        name: "PushNotificationSDKObjC",
        path: "sdk/Sources/PushNotificationSDKObjC"
    )
    objectiveC = [.target(name: objectiveCTarget.name)]
#endif

var products: [Product] = [
    .library(name: "MartletWire", targets: ["MartletWire"]),
    .library(name: "PushNotificationSDK", targets: ["PushNotificationSDK"]),
    .library(name: "PushNotificationServiceExtension", targets: ["PushNotificationServiceExtension"]),
    // What C, and with it Unity, Unreal and Objective-C, link: to be loaded, or as a part of the app.
    .library(name: "PushNotificationSDKC", type: .dynamic, targets: ["PushNotificationSDKC"]),
    .library(name: "PushNotificationSDKCStatic", type: .static, targets: ["PushNotificationSDKC"]),
]
var targets: [Target] = [
    source("MartletWire"),
    source("PushNotificationSDKCore", ["MartletWire"]),
    source("PushNotificationSDKApple", ["PushNotificationSDKCore"] + objectiveC + appleStubs),
    source(
        "PushNotificationSDK",
        ["PushNotificationSDKCore", "PushNotificationSDKApple"],
        resources: [.copy("Resources/PrivacyInfo.xcprivacy")]
    ),
    source(
        "PushNotificationServiceExtension",
        ["PushNotificationSDKCore"] + appleStubs,
        resources: [.copy("Resources/PrivacyInfo.xcprivacy")]
    ),
    .target(name: "CPushNotificationSDK", path: "sdk/Sources/CPushNotificationSDK"),
    source(
        "PushNotificationSDKC",
        ["CPushNotificationSDK", "MartletWire", "PushNotificationSDKCore", "PushNotificationSDKApple"] + appleStubs,
        resources: [.copy("Resources/PrivacyInfo.xcprivacy")]
    ),
    // Doubles for tests of the SDK; no product holds them.
    .target(
        name: "PushNotificationSDKTesting",
        dependencies: ["MartletWire", "PushNotificationSDKCore"],
        path: "sdk/Tests/Support",
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
        .target(name: "CPushHooks", path: "sdk/Bridges/hooks/CPushHooks"),
        .target(
            name: "PushHooks",
            dependencies: [
                "CPushHooks", "CPushNotificationSDK", "MartletWire", "PushNotificationSDKC", "PushNotificationSDKCore",
                "PushNotificationSDKApple", "PushNotificationSDKTesting",
            ] + appleStubs,
            path: "sdk/Bridges/hooks/PushHooks",
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
            path: "sdk/Benchmarks/martlet-sdk-bench",
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
    targets.append(objectiveCTarget)
#endif

// Views over the SDK, for Apple's systems; everywhere their models and texts.
products.append(.library(name: "PushNotificationSDKUI", targets: ["PushNotificationSDKUI"]))
targets += [
    source("PushNotificationSDKUI", ["MartletWire", "PushNotificationSDKCore"]),
    tests(
        "PushNotificationSDKUITests",
        ["MartletWire", "PushNotificationSDKCore", "PushNotificationSDKUI", "PushNotificationSDKTesting"]
    ),
]

// `MARTLET_TESTS=AppleStubsTests swift test` builds that suite only.
if let chosen = Context.environment["MARTLET_TESTS"]?.split(separator: ",").map(String.init) {
    targets.removeAll { $0.type == .test && !chosen.contains($0.name) }
}

let package = Package(
    name: "martlet",
    platforms: [.iOS(.v13), .macOS(.v15)],
    products: products,
    targets: targets,
    swiftLanguageModes: [.v6]
)
