import MartletCore
import MartletWire

/// What a page shows of a device. A pure value.
struct DeviceWords: Sendable {
    var texts: Texts
    /// Whether its token is shown whole.
    var isUnmasked: Bool

    func values(of endpoint: Endpoint, _ person: Person) -> PageValues {
        let device = endpoint.device
        var values: PageValues = [
            "device_id": endpoint.id.description, "device_name": device.model ?? texts["people.unnamed_device"],
            "device_platform": texts["people.platform.\(endpoint.platform.rawValue)"],
            "device_state": state(endpoint), "device_tone": tone(endpoint).rawValue,
            "is_on": endpoint.isEnabled, "device_address": "\(person.address)/devices/\(endpoint.id)",
            "device_seen": PageValues.time(endpoint.registeredAt) as PageValues,
            "device_made": PageValues.time(endpoint.createdAt) as PageValues,
            "device_token": isUnmasked ? endpoint.token : DeviceToken.redacted(endpoint.token),
        ]
        let facts: [(String, String?)] = [
            ("platform", texts["people.os.\(endpoint.system.rawValue)"]),
            ("environment", endpoint.environment.map { texts["people.environment.\($0.rawValue)"] }),
            ("system", device.osVersion), ("app_version", device.appVersion), ("locale", device.locale),
            ("time_zone", device.timeZone), ("installation", endpoint.installation?.description),
        ]
        values["device_facts"] = facts.compactMap { name, value in
            value.map { ["fact_name": texts["people.fact.\(name)"], "fact_value": $0] as PageValues }
        }
        return values
    }

    /// Whether pushes are made to it, and what the person and the system say to that.
    func state(_ endpoint: Endpoint) -> String {
        switch endpoint.disableReason {
        case .switchedOff?: texts["people.device_push_off"]
        case let reason?: texts["people.device_is_off", ["reason": texts.offReason(reason)]]
        case nil where endpoint.device.permission == .denied: texts["people.device_denied"]
        case nil: texts["people.device_is_on"]
        }
    }

    private func tone(_ endpoint: Endpoint) -> Tone {
        endpoint.isEnabled && endpoint.device.permission != .denied ? .good : .warn
    }
}
