import Foundation
import UserNotifications

/// What of a phone outlives the app's processes.
struct PhoneParts: Sendable {
    let settings: PhoneSettings
    let network: PhoneNetwork
    let notifications: NotificationDevice
    /// Grows with each install of the app: another install finds nothing of the one before.
    var install: Int
    /// The sessions of the app's windows on the screen, the one that was used last behind the others.
    var windows = [UUID().uuidString]

    /// Everything that this install of the app keeps.
    var root: URL { settings.folder.appendingPathComponent("installs/\(install)", isDirectory: true) }

    var appFolder: URL { folder("app") }
    var groupFolder: URL { folder("group") }
    var extensionFolder: URL { folder("extension") }

    private func folder(_ name: String) -> URL {
        root.appendingPathComponent(name, isDirectory: true)
    }
}
