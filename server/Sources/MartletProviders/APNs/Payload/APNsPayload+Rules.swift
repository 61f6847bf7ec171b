import MartletCore
import MartletWire

extension APNsPayload {
    /// The push type of a payload for which none was asked; `nil` for one that says nothing.
    var impliedPushType: APNsPushType? {
        if isShown { return .alert }
        if isContentAvailable { return .background }
        // A raw payload may be meant as it is: Wallet takes alerts whose payload is {}.
        if isRaw { return .alert }
        return hasCustomValues ? .background : nil
    }

    /// Adds what a push type always has, and checks that the rest fits it.
    ///
    /// - Throws: `Failure` naming what Apple would refuse, or what the phone would drop unseen.
    mutating func fit(_ type: APNsPushType) throws(Failure) {
        switch type.rules.content {
        case .free: break
        case .shown:
            guard isRaw || isShown else {
                throw .invalid(
                    "push_type",
                    "An alert push must have an alert, a badge or a sound.",
                    hint: "Give a title or a body, or leave push_type out for a background push with data."
                )
            }
            allowChanges()
        case .silent: try require("content-available", 1, for: type)
        case .changed: try require("content-changed", true, for: type)
        case .liveActivity: try Self.checkLiveActivity(aps, path: apsPath)
        case .mdm: try checkMDM()
        }
    }

    private mutating func require(_ key: String, _ value: JSONValue, for type: APNsPushType) throws(Failure) {
        guard !isShown else {
            throw .invalid(
                "push_type",
                "A \(type.rawValue) push must not have an alert, a badge or a sound.",
                hint: "Send it as alert, or remove them."
            )
        }
        if !isRaw { set(key, in: value) }
        guard aps[key] == value else {
            let text = value == 1 ? "1" : "true"
            throw .invalid("\(apsPath).\(key)", "A \(type.rawValue) push has \"\(key)\": \(text) in its aps.")
        }
    }

    /// Checks what a Live Activity's `aps` has.
    ///
    /// - Parameter path: where it stands, for messages.
    /// - Throws: `Failure` naming the member that is missing or that Apple would refuse.
    static func checkLiveActivity(_ aps: [String: JSONValue], path: String) throws(Failure) {
        guard let event = aps["event"]?.stringValue.flatMap(APSPayload.Event.init) else {
            throw .invalid("\(path).event", "A Live Activity push has an event: start, update or end.")
        }
        // The end of the year 9999: what is more are milliseconds, which Apple refuses.
        guard let timestamp = aps["timestamp"]?.integerValue, timestamp < 253_402_300_800 else {
            throw .invalid("\(path).timestamp", "A Live Activity push has a timestamp in seconds since 1970.")
        }
        var required: [String] = event == .end ? [] : ["content-state"]
        if event == .start { required += ["attributes-type", "attributes", "alert"] }
        for key in required where (aps[key] ?? .null) == .null {
            throw .invalid("\(path).\(key)", "A Live Activity push with event \(event.rawValue) has \(key).")
        }
    }

    private mutating func checkMDM() throws(Failure) {
        removeEmptyAPS()
        let path = isRaw ? "\(APNsOverride.path).payload" : "data"
        guard members["mdm"]?.stringValue != nil else {
            throw .invalid("\(path).mdm", "An mdm push carries the device's PushMagic as the string mdm.")
        }
        guard members["aps"] == nil, !isShown else { throw .invalid(apsPath, "An mdm push has no aps.") }
    }
}
