import MartletCore
import MartletWire

extension Texts {
    /// Why a device is off, for people: ours in words, a provider's as far as it has a plain meaning.
    func offReason(_ reason: DisableReason) -> String {
        if let own = optional("people.off_reason.\(reason.rawValue)") { return own }
        let key: String? =
            switch reason.rawValue {
            case "Unregistered", "ExpiredToken", "UNREGISTERED", "NotRegistered", "410": "app_removed"
            case "BadDeviceToken", "INVALID_ARGUMENT", "InvalidRegistration": "unknown_token"
            case "DeviceTokenNotForTopic", "SENDER_ID_MISMATCH", "MismatchSenderId": "other_app"
            case "Gone", "NotFound", "404": "browser"
            default: nil
            }
        guard let key else { return self["people.off_reason_of.provider", ["reason": reason.rawValue]] }
        return self["people.off_reason_of.\(key)"]
    }
}

extension [Endpoint] {
    /// Why one of them is off, where it is.
    func offReason(of id: PublicID?) -> DisableReason? {
        guard let id, case .disabled(let reason) = first(where: { $0.id == id })?.status else { return nil }
        return reason
    }
}
