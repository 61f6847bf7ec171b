import Crypto
package import MartletWire

/// Reads one event out of its JSON. A pure function; whatever it is given, it answers with an event or with a reason.
public struct EventReader: Sendable {
    /// Who wrote the JSON.
    public enum Format: Sendable, Hashable {
        /// The SDK: `POST /api/v1/events`.
        case martlet
        /// A client of Treasure Data's ingest interface. Its records have columns of their own, which are not kept.
        case treasureData
    }

    /// The most bytes of a text, ours: of an id, and of a link or a token.
    package static let (idLimit, valueLimit) = (256, 4_096)

    private typealias Field = EventRequest.CodingKeys

    private let format: Format
    private let members: [String: JSONValue]
    private let providers: [Platform: any Provider]

    /// Reads an event.
    ///
    /// - Parameter providers: those whose tokens may be named.
    /// - Throws: `EventReceipt.Failure` naming the first field at fault.
    package static func read(
        _ json: JSONValue,
        as format: Format,
        providers: [Platform: any Provider]
    ) throws(EventReceipt.Failure) -> EventDraft {
        guard case .object(let members) = json else {
            throw .init(name: EventReceipt.Failure.invalidPropertyValue, description: "An event is an object.")
        }
        return try EventReader(format: format, members: members, providers: providers).event()
    }

    private func event() throws(EventReceipt.Failure) -> EventDraft {
        try checkNames()
        var event = EventDraft(
            type: try word(.type),
            platform: try platform(),
            clientTime: try time()
        )
        event.messageID = try text(.messageID)
        event.campaignID = try text(.treasureDataCampaignID)
        // Both are read, so that the second one is checked too.
        let campaign = try text(.campaignID)
        event.campaignID = event.campaignID ?? campaign
        event.user = try text(.userID)
        event.value = try text(.value, limit: EventReader.valueLimit)
        event.fcmToken = try token(.fcmToken, of: .fcm)
        event.apnsToken = try token(.apnsToken, of: .apns)
        event.deviceModel = try text(.deviceModel, or: "td_model", limit: DeviceInfo.limit)
        event.osVersion = try text(.osVersion, or: "td_os_ver", limit: DeviceInfo.limit)
        event.appVersion = try text(.appVersion, or: "td_app_ver", limit: DeviceInfo.limit)
        // Without a secret beside it, an installation's id proves nothing.
        event.installation = format == .martlet ? try id(.installationID) : nil
        event.eventID = try id(.eventID)
        event.key = try key(event.eventID)
        try checkCompleteness(event)
        return event
    }

    /// What a type cannot be without.
    private func checkCompleteness(_ event: EventDraft) throws(EventReceipt.Failure) {
        switch event.type {
        case .delivery, .open, .dismiss: break
        case .linkOpen, .deeplinkOpen:
            guard event.value != nil else { throw missing(.value) }
        case .tokenRegister:
            guard event.fcmToken != nil || event.apnsToken != nil else { throw missing(.fcmToken) }
        }
        guard format == .martlet else { return }
        guard event.eventID != nil else { throw missing(.eventID) }
        guard event.installation != nil else { throw missing(.installationID) }
        guard event.clientTime != nil else { throw missing(.time) }
    }

    /// The names that a column can have; ours: what Treasure Data takes, and capitals.
    private func checkNames() throws(EventReceipt.Failure) {
        guard format == .treasureData else { return }
        for name in members.keys {
            let isName = name.utf8.allSatisfy { unit in
                (0x30...0x39).contains(unit) || (0x41...0x5A).contains(unit) || (0x61...0x7A).contains(unit)
                    || unit == UInt8(ascii: "_")
            }
            guard isName, (1...128).contains(name.utf8.count) else {
                throw .init(
                    name: EventReceipt.Failure.invalidPropertyName,
                    description: "A column's name has 1 to 128 letters, digits and underscores."
                )
            }
        }
    }

    private func platform() throws(EventReceipt.Failure) -> EventPlatform {
        // What the vendor's SDK adds by itself, such as "iOS".
        let isNamed = members[Field.platform.rawValue] != nil
        if format == .treasureData, !isNamed, case .string(let name)? = members["td_os_type"],
            let platform = EventPlatform(rawValue: name.lowercased())
        {
            return platform
        }
        return try word(.platform)
    }

    private func key(_ eventID: PublicID?) throws(EventReceipt.Failure) -> EventDraft.Key? {
        if let eventID { return EventDraft.Key(id: eventID, memory: EventDraft.Key.eventMemory) }
        guard format == .treasureData, let uuid = try text(named: "uuid") else { return nil }
        // It may be any text, and one that is an event's id must not be taken for that event.
        let digest = SHA256.hash(data: Array("uuid:\(uuid)".utf8))
        return PublicID(bytes: Array(digest.prefix(16))).map {
            EventDraft.Key(id: $0, memory: EventDraft.Key.uuidMemory)
        }
    }
}

extension EventReader {
    /// A text; `nil` when it is absent, `null` or empty.
    private func text(
        _ field: Field,
        or alias: String? = nil,
        limit: Int = idLimit
    ) throws(EventReceipt.Failure) -> String? {
        try text(named: field.rawValue, or: alias, limit: limit)
    }

    private func text(
        named name: String,
        or alias: String? = nil,
        limit: Int = idLimit
    ) throws(EventReceipt.Failure) -> String? {
        guard let value = members[name], value != .null else {
            guard let alias, format == .treasureData else { return nil }
            return try text(named: alias, limit: limit)
        }
        let text: String
        switch value {
        case .string(let string): text = string
        // Treasure Data's columns take any type: a user whose id is a number is written as one.
        case .integer(let number) where format == .treasureData: text = String(number)
        case .decimal(let number) where format == .treasureData && UInt64(number) != nil: text = number
        default: throw wrong(name, "is a text")
        }
        guard text.utf8.count <= limit else { throw wrong(name, "has at most \(limit) bytes") }
        guard !text.hasControlCharacters else { throw wrong(name, "has no control characters") }
        return text.isEmpty ? nil : text
    }

    private func word<Word: RawRepresentable & CaseIterable>(_ field: Field) throws(EventReceipt.Failure) -> Word
    where Word.RawValue == String {
        guard let value = members[field.rawValue], value != .null else { throw missing(field) }
        guard case .string(let text) = value, let word = Word(rawValue: text) else {
            throw wrong(field.rawValue, "is one of \(Word.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return word
    }

    private func id(_ field: Field) throws(EventReceipt.Failure) -> PublicID? {
        guard let text = try text(field) else { return nil }
        guard let id = PublicID(text) else { throw wrong(field.rawValue, "is a UUID") }
        return id
    }

    private func token(_ field: Field, of platform: Platform) throws(EventReceipt.Failure) -> String? {
        guard let text = try text(field, limit: EventReader.valueLimit) else { return nil }
        do {
            return try providers.normalize(text, platform: platform, field: field.rawValue)
        } catch {
            throw .init(
                name: EventReceipt.Failure.invalidPropertyValue,
                description: "\(field.rawValue): \(error.detail.message)"
            )
        }
    }

    /// RFC 3339; or a number: seconds since 1970, milliseconds from ``leastMilliseconds`` on.
    private func time() throws(EventReceipt.Failure) -> Timestamp? {
        let name = Field.time.rawValue
        let number: Double
        switch members[name] ?? (format == .treasureData ? members["td_record_time"] : nil) {
        case nil, .null?: return nil
        case .string(let text)?:
            guard let time = UTCTime(text) else { throw wrong(name, "is an RFC 3339 time or Unix seconds") }
            return Timestamp(milliseconds: time.milliseconds)
        case let value?:
            guard let value = value.doubleValue else { throw wrong(name, "is an RFC 3339 time or Unix seconds") }
            number = value
        }
        let milliseconds = number >= EventReader.leastMilliseconds ? number : number * 1_000
        // 9999-12-31T23:59:59.999Z, the last moment that RFC 3339 can write.
        guard (0...253_402_300_799_999).contains(milliseconds) else {
            throw wrong(name, "lies between the years 1970 and 9999")
        }
        return Timestamp(milliseconds: Int64(milliseconds))
    }

    /// As seconds, this is the year 5138; as milliseconds, March 1973.
    private static let leastMilliseconds = 100_000_000_000.0

    private func missing(_ field: Field) -> EventReceipt.Failure {
        .init(name: EventReceipt.Failure.invalidPropertyValue, description: "\(field.rawValue): the field is missing.")
    }

    private func wrong(_ name: String, _ rule: String) -> EventReceipt.Failure {
        .init(name: EventReceipt.Failure.invalidPropertyValue, description: "\(name): it \(rule).")
    }
}
