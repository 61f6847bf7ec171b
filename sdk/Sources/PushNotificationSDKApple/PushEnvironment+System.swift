import Foundation
package import PushNotificationSDKCore
import UIKit
import UserNotifications

extension PushEnvironment {
    /// The environment of the app that runs. Making it touches neither the disk nor the network.
    package static func system() -> PushEnvironment {
        let platform = ApplePlatform(
            center: .current(),
            application: { UIApplication.shared },
            facts: { DeviceReading().facts }
        )
        let files = FileManager.default
        // tvOS has apps write where the system makes room when it needs it: the device then is another installation.
        #if os(tvOS)
            let place = FileManager.SearchPathDirectory.cachesDirectory
        #else
            let place = FileManager.SearchPathDirectory.applicationSupportDirectory
        #endif
        // Every app has the folder; where there were none, nothing would outlive the process.
        let folder = files.urls(for: place, in: .userDomainMask).first ?? files.temporaryDirectory
        let own = folder.appendingPathComponent("martlet")
        var environment = PushEnvironment(
            platform: platform,
            transport: URLSessionTransport(trust: { PushNotificationSDK.serverTrustHandler }),
            storage: FileStore(folder: own)
        )
        environment.backedUpStorage = FileStore(
            folder: folder.appendingPathComponent("martlet-consent"),
            isBackedUp: true
        )
        environment.defaults = UserDefaultsStore(
            .standard,
            marker: ProtectedMarker(file: own.appendingPathComponent("unlocked"))
        )
        environment.log = Log.unified
        environment.container = { FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: $0) }
        environment.bundleID = Bundle.main.bundleIdentifier
        return environment
    }
}

/// What the device and the app's bundle say.
@MainActor
struct DeviceReading {
    var device = UIDevice.current
    var bundle = Bundle.main

    /// The facts, as they stand now: a person may travel or change the language while the app runs.
    var facts: PushNotificationSDKCore.DeviceFacts {
        var facts = PushNotificationSDKCore.DeviceFacts()
        facts.model = hardware
        facts.osVersion = device.systemVersion
        facts.appVersion = bundle.infoDictionary?["CFBundleShortVersionString"] as? String
        facts.locale = Locale.preferredLanguages.first ?? Locale.current.identifier
        facts.timeZone = TimeZone.current.identifier
        facts.bundleID = bundle.bundleIdentifier
        return facts
    }

    /// The hardware's name, such as `iPhone16,1`: `UIDevice.model` is only `iPhone`.
    private var hardware: String {
        var names = utsname()
        guard withUnsafeMutablePointer(to: &names, { uname($0) }) == 0 else { return device.model }
        return withUnsafeBytes(of: names.machine) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}
