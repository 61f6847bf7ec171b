import Foundation
import PushNotificationSDK

/// The days of the devices that this phone watches. What was loaded is kept until a push says that it has changed.
@MainActor
final class Dashboard {
    /// A device somewhere in the world: its days begin and end where it is, not where the phone is.
    struct Device {
        let id: String
        let name: String
        let timeZone: TimeZone
    }

    /// The device that shows.
    private(set) var device: Device
    /// Called when something else is to be shown.
    var onChange: (() -> Void)?
    private let devices: [Device]
    /// By `<device id>_<yyyy-MM-dd>`.
    private var days: [String: String] = [:]

    init() {
        devices = [
            Device(id: "device-living-room", name: "Living room", timeZone: TimeZone(identifier: "Asia/Tokyo")!),
            Device(id: "device-cabin", name: "Cabin", timeZone: TimeZone(identifier: "America/Los_Angeles")!),
        ]
        device = devices[0]
    }

    /// What there is of today, where the device is.
    var text: String {
        "\(device.name)\n\(days[key(of: device)] ?? "Loading …")"
    }

    /// Takes the pushes that say that a day was analysed: `action`, `device_id` and `date` in their payload. In the
    /// background nothing is loaded; the call comes when the app is in front.
    func listen() {
        PushNotificationSDK.timeZoneOfDevice = { [devices] id in devices.first { $0.id == id }?.timeZone }
        PushNotificationSDK.onRefresh = { [weak self] request in
            guard request.action == "refresh_dashboard" else { return }
            self?.days.removeValue(forKey: request.cacheKey)
            self?.load()
        }
    }

    /// Shows another device.
    func show(_ id: String) {
        guard let other = devices.first(where: { $0.id == id }) else { return }
        device = other
        load()
    }

    /// Loads what is missing of today.
    func load() {
        let device = device
        let key = key(of: device)
        onChange?()
        guard days[key] == nil else { return }
        Task {
            days[key] = await analysis(of: device)
            onChange?()
        }
    }

    private func key(of device: Device) -> String {
        let day = DateFormatter()
        day.locale = Locale(identifier: "en_US_POSIX")
        day.calendar = Calendar(identifier: .gregorian)
        day.timeZone = device.timeZone
        day.dateFormat = "yyyy-MM-dd"
        return "\(device.id)_\(day.string(from: Date()))"
    }

    /// Stands for a call of your own server.
    private func analysis(of device: Device) async -> String {
        "\(Int.random(in: 1...20)) conversations"
    }
}
