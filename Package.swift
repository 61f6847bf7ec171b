// swift-tools-version: 6.2

// What an app adds: the same products on every machine, and no dependencies at all, because a package manager resolves every
// dependency of a root manifest for every app that takes it, used or not. The package in `sdk/` has the same sources with
// their tests and, on Linux, stand-ins for Apple's frameworks; the server is the package in `server/`.

import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

/// A target in Swift in its folder under `sdk/Sources`.
func source(_ name: String, _ dependencies: [Target.Dependency] = [], resources: [Resource]? = nil) -> Target {
    .target(
        name: name,
        dependencies: dependencies,
        path: "sdk/Sources/\(name)",
        resources: resources,
        swiftSettings: settings
    )
}

let package = Package(
    name: "martlet",
    // Not macOS: the SDK stands on UIKit, which a Mac has for Catalyst only.
    platforms: [.iOS(.v13), .macCatalyst(.v13), .tvOS(.v13), .visionOS(.v1)],
    products: [
        .library(name: "PushNotificationSDK", targets: ["PushNotificationSDK"]),
        .library(name: "PushNotificationServiceExtension", targets: ["PushNotificationServiceExtension"]),
        // What C, and with it Unity and Unreal, link: to be loaded, or as a part of the app.
        .library(name: "PushNotificationSDKC", type: .dynamic, targets: ["PushNotificationSDKC"]),
        .library(name: "PushNotificationSDKCStatic", type: .static, targets: ["PushNotificationSDKC"]),
        // Views over the SDK, in SwiftUI.
        .library(name: "PushNotificationSDKUI", targets: ["PushNotificationSDKUI"]),
        // Objective-C's class, with what it calls.
        .library(name: "PushNotificationSDKBridge", targets: ["PushNotificationSDKBridge"]),
    ],
    targets: [
        source("MartletWireBase"),
        source("MartletWire", ["MartletWireBase"]),
        // All that a service extension links.
        source("PushNotificationSDKBase", ["MartletWireBase"]),
        source("PushNotificationSDKCore", ["MartletWire", "PushNotificationSDKBase"]),
        .target(name: "PushNotificationSDKObjC", path: "sdk/Sources/PushNotificationSDKObjC"),
        source("PushNotificationSDKApple", ["PushNotificationSDKCore", "PushNotificationSDKObjC"]),
        source(
            "PushNotificationSDK",
            ["PushNotificationSDKCore", "PushNotificationSDKApple"],
            resources: [.copy("Resources/PrivacyInfo.xcprivacy")]
        ),
        source("PushNotificationSDKUI", ["MartletWire", "PushNotificationSDKCore"]),
        source(
            "PushNotificationServiceExtension",
            ["PushNotificationSDKBase"],
            resources: [.copy("Resources/PrivacyInfo.xcprivacy")]
        ),
        .target(name: "CPushNotificationSDK", path: "sdk/Sources/CPushNotificationSDK"),
        source(
            "PushNotificationSDKC",
            ["CPushNotificationSDK", "MartletWire", "PushNotificationSDKCore", "PushNotificationSDKApple"],
            resources: [.copy("Resources/PrivacyInfo.xcprivacy")]
        ),
        .target(
            name: "PushNotificationSDKBridge",
            dependencies: ["CPushNotificationSDK", "PushNotificationSDKC"],
            path: "sdk/Sources/PushNotificationSDKBridge"
        ),
    ],
    swiftLanguageModes: [.v6]
)
