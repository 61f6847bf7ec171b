import Foundation
import Testing

@Suite("The privacy manifests")
struct PrivacyManifestTests {
    private static let sources = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Sources")

    /// What an app or a game links: each is a bundle of its own, which Apple reads by itself.
    private static let products = ["PushNotificationSDK", "PushNotificationSDKC", "PushNotificationServiceExtension"]

    @Test("games and the service extension collect what the app's product does: the extension uploads deliveries")
    func collected() throws {
        let manifests = try Self.products.map {
            try Data(contentsOf: Self.sources.appendingPathComponent("\($0)/Resources/PrivacyInfo.xcprivacy"))
        }
        #expect(Set(manifests).count == 1)
        let types = try #require(try manifest("PushNotificationSDK")["NSPrivacyCollectedDataTypes"] as? [[String: Any]])
        #expect(
            types.map { $0["NSPrivacyCollectedDataType"] as? String } == [
                "NSPrivacyCollectedDataTypeDeviceID", "NSPrivacyCollectedDataTypeUserID",
                "NSPrivacyCollectedDataTypeProductInteraction",
            ]
        )
    }

    private func manifest(_ product: String) throws -> [String: Any] {
        let file = Self.sources.appendingPathComponent("\(product)/Resources/PrivacyInfo.xcprivacy")
        let list = try PropertyListSerialization.propertyList(from: Data(contentsOf: file), format: nil)
        return try #require(list as? [String: Any])
    }

    private func reasons(_ product: String) throws -> [String: [String]] {
        let used = try #require(try manifest(product)["NSPrivacyAccessedAPITypes"] as? [[String: Any]])
        return try Dictionary(
            uniqueKeysWithValues: used.map { entry in
                (
                    try #require(entry["NSPrivacyAccessedAPIType"] as? String),
                    try #require(entry["NSPrivacyAccessedAPITypeReasons"] as? [String])
                )
            }
        )
    }

    @Test(
        "each product names the reasons for which it uses UserDefaults: the app's own, and those of an app group",
        arguments: products
    )
    func userDefaults(_ product: String) throws {
        #expect(try reasons(product) == ["NSPrivacyAccessedAPICategoryUserDefaults": ["CA92.1", "1C8F.1"]])
    }

    @Test(
        "no product tracks anybody",
        arguments: products
    )
    func tracksNobody(_ product: String) throws {
        let manifest = try manifest(product)
        #expect(manifest["NSPrivacyTracking"] as? Bool == false)
        #expect((manifest["NSPrivacyTrackingDomains"] as? [String])?.isEmpty == true)
        let collected = try #require(manifest["NSPrivacyCollectedDataTypes"] as? [[String: Any]])
        #expect(collected.allSatisfy { $0["NSPrivacyCollectedDataTypeTracking"] as? Bool == false })
        #expect(collected.allSatisfy { ($0["NSPrivacyCollectedDataTypePurposes"] as? [String])?.isEmpty == false })
    }

    /// APIs that Apple wants a reason for ("Describing use of required reason API"), by what their use looks like.
    private static let otherCategories = [
        "creationDate", "modificationDate", "contentModificationDateKey", "creationDateKey", "getattrlist", "fstat(",
        "systemUptime", "mach_absolute_time", "volumeAvailableCapacity", "systemFreeSize", "statfs", "activeInputModes",
    ]

    @Test("the SDK uses no other API that needs a reason")
    func nothingElse() throws {
        let products = [
            "MartletWireBase", "MartletWire", "PushNotificationSDKBase", "PushNotificationSDKCore",
            "PushNotificationSDKApple", "PushNotificationSDK", "PushNotificationSDKUI",
            "PushNotificationServiceExtension", "PushNotificationSDKC",
        ]
        var read = 0
        for product in products {
            let folder = Self.sources.appendingPathComponent(product)
            let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
            for case let file as URL in files where file.pathExtension == "swift" {
                read += 1
                let text = try String(contentsOf: file, encoding: .utf8)
                for word in Self.otherCategories {
                    #expect(!text.contains(word), "\(file.lastPathComponent) uses \(word); name its reason")
                }
            }
        }
        #expect(read > 50)
    }
}
