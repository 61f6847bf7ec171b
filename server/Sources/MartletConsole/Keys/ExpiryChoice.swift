import MartletCore
import MartletWire

/// How long a new key is good, as the form offers it.
enum ExpiryChoice: String, CaseIterable {
    case never = ""
    case month = "30d"
    case quarter = "90d"
    case year = "365d"

    private var days: Int64? {
        switch self {
        case .never: nil
        case .month: 30
        case .quarter: 90
        case .year: 365
        }
    }

    /// What was chosen; nothing is never.
    ///
    /// - Throws: `Failure` naming `expires_at` for what is not offered.
    init(_ call: ConsoleCall) throws(Failure) {
        guard let choice = ExpiryChoice(rawValue: call.form["expires_at"] ?? "") else {
            throw .invalid("expires_at", call.texts["keys.expiry_missing"])
        }
        self = choice
    }

    /// When a key expires that is made now.
    func expiry(now: Timestamp) throws(Failure) -> KeyExpiry? {
        guard let days else { return nil }
        return try KeyExpiry(now + .seconds(days * 86_400), now: now)
    }

    /// The choices of a form.
    static func values(_ call: ConsoleCall) -> [PageValues] {
        let chosen = call.form["expires_at"] ?? ""
        return allCases.map { choice in
            [
                "expiry_word": choice.rawValue, "expiry_text": call.texts["keys.for_\(choice)"],
                "expiry_selected": choice.rawValue == chosen,
            ]
        }
    }

    /// When a key was used last and when it expires, as lists show it.
    static func values(used: Timestamp?, expires: Timestamp?, now: Timestamp) -> PageValues {
        [
            "key_used": used.map(PageValues.time).asList, "key_unused": used == nil,
            "key_expires": expires.map(PageValues.time).asList, "key_lasts": expires == nil,
            "key_expired": expires.map { $0 <= now } ?? false,
        ]
    }
}
