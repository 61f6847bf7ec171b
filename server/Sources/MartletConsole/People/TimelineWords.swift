import MartletCore
import MartletWire

/// What a timeline shows of each thing that happened. A pure value.
struct TimelineWords: Sendable {
    var texts: Texts
    /// Whether texts of payloads are shown as they are.
    var isUnmasked: Bool
    /// The person's devices, which have better names than ids.
    var devices: [Endpoint]
    /// What notifications say, as far as it is known and may be shown.
    var titles: [PublicID: String] = [:]

    /// The names of the app's categories by key.
    var categories: [String: String] = [:]

    /// How much of it a link has.
    private static let titleLimit = 60

    func values(of entry: TimelineEntry, _ person: Person) -> PageValues {
        var values: PageValues = [
            "entry_time": PageValues.time(entry.at) as PageValues,
            "entry_kind": texts["people.kind.\(entry.kind.rawValue)"],
            "entry_what": what(entry), "entry_tone": Self.tone(entry).rawValue,
            "has_notification": entry.notification != nil, "has_device": entry.endpoint != nil,
        ]
        let isMasked = isMasked(entry)
        values["entry_sentence"] = sentence(entry)
        let hasSentence = entry.detail != nil && !isMasked && !Self.repeats(entry)
        values["has_sentence"] = hasSentence
        values["is_bare"] = !hasSentence && !isMasked && entry.endpoint == nil
        values["is_masked"] = isMasked
        if let notification = entry.notification {
            values["notification_address"] = "/console/notifications/\(notification)"
            values["notification_name"] = name(ofNotification: notification)
            values["why_address"] = "\(person.address)/why/\(notification)"
        }
        if let endpoint = entry.endpoint { values["device_name"] = name(of: endpoint) }
        return values
    }

    /// What happened in a word or two: ours where there is one, else as it is recorded.
    func what(_ entry: TimelineEntry) -> String {
        if entry.kind == .preference {
            return entry.what == "master"
                ? texts["people.what.preference.master"] : categories[entry.what] ?? entry.what
        }
        if entry.kind == .suppression, entry.what == Suppression.Reason.endpointDisabled.rawValue,
            let reason = devices.offReason(of: entry.endpoint)
        {
            return texts["people.off_because", ["reason": texts.offReason(reason)]]
        }
        if entry.kind == .device, entry.what == "disabled", let reason = devices.offReason(of: entry.endpoint) {
            return texts["people.device_is_off", ["reason": texts.offReason(reason)]]
        }
        return texts.optional("people.what.\(entry.kind.rawValue).\(entry.what)") ?? entry.what
    }

    /// The facts in the reader's language; what an app or a phone reported is nobody's sentence.
    private func sentence(_ entry: TimelineEntry) -> [PageValues] {
        guard let detail = entry.detail else { return [] }
        return entry.kind == .event ? [["said": detail, "is_english": false]] : texts.said(detail)
    }

    /// Whether its facts say no more than its word: only a provider's own reason and what came late are told besides.
    static func repeats(_ entry: TimelineEntry) -> Bool {
        switch entry.kind {
        case .delivery: entry.detail?.contains("(") == false
        case .suppression: entry.detail == Suppression.Reason(rawValue: entry.what)?.statement
        case .preference, .device, .inbox, .event: false
        }
    }

    /// Whether the facts are not for who asks: they say what was in a payload, or where a link led.
    func isMasked(_ entry: TimelineEntry) -> Bool {
        switch entry.kind {
        case .inbox, .event: !isUnmasked && entry.detail != nil
        case .delivery, .suppression, .preference, .device: false
        }
    }

    /// How good it is, for the eye.
    static func tone(_ entry: TimelineEntry) -> Tone {
        switch (entry.kind, entry.what) {
        case (.delivery, DeliveryState.accepted.rawValue), (.event, EventType.open.rawValue): .good
        case (.delivery, DeliveryState.rejected.rawValue), (.delivery, DeliveryState.dead.rawValue): .bad
        case (.delivery, _), (.suppression, _), (.device, "disabled"), (.device, "removed"): .warn
        default: .plain
        }
    }

    private func name(ofNotification id: PublicID) -> String {
        guard let title = titles[id] else { return texts["people.notification"] }
        return title.count > Self.titleLimit ? title.prefix(Self.titleLimit) + "…" : title
    }

    private func name(of endpoint: PublicID) -> String {
        guard let device = devices.first(where: { $0.id == endpoint }) else { return endpoint.description }
        return device.device.model ?? texts["people.platform.\(device.platform.rawValue)"]
    }
}

/// The colours of a word, which stand beside it and never for it.
enum Tone: String, Sendable {
    case good, warn, bad, plain
}
