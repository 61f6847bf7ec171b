import Foundation
import MartletCore
import MartletWire

extension ComposeForm {
    /// What the form asks for, in the words of the API.
    ///
    /// - Throws: `Failure` naming the form's field.
    func request(_ texts: Texts) throws(Failure) -> NotificationRequest {
        var request = try content(texts)
        request.audience = try audience(texts)
        if kind == .topic { request.attributes = try members(.attributes, texts) }
        request.class = NotificationClass(rawValue: self[.class])
        if isLater { request.sendAt = UTCTime(try begin(texts)) }
        request.ttlSeconds = try seconds(texts)
        return request
    }

    /// The same for whom it is for alone: that can be counted before anything is written.
    func countingRequest(_ texts: Texts) throws(Failure) -> NotificationRequest {
        var request = NotificationRequest(audience: try audience(texts), title: "…")
        request.category = text(.category)
        if kind == .topic {
            request.attributes = try members(.attributes, texts)
            request.data = try members(.data, texts)
        }
        return request
    }

    /// The same for one's own device, at once.
    func testRequest(_ texts: Texts) throws(Failure) -> NotificationRequest {
        guard let target = text(.testTo) else {
            throw .invalid(Field.testTo.rawValue, texts["compose.test.missing"])
        }
        var request = try content(texts)
        if let platform = Platform(rawValue: self[.testKind]) {
            request.audience = AudienceRequest(tokens: [target], platform: platform)
        } else {
            request.audience = AudienceRequest(users: [target])
        }
        // A person waits for it, whatever they have switched off.
        request.class = .transactional
        (request.category, request.inbox) = (nil, .enabled(false))
        request.ttlSeconds = 300
        return request
    }

    // MARK: Parts

    private func content(_ texts: Texts) throws(Failure) -> NotificationRequest {
        var request = NotificationRequest(audience: AudienceRequest(), title: text(.title), body: text(.body))
        request.subtitle = text(.subtitle)
        request.image = text(.image)
        request.deepLink = try link(texts)
        request.category = text(.category)
        request.sound = boxes.contains(.sound) && !isBlank ? "default" : nil
        request.inbox = .enabled(boxes.contains(.inbox))
        request.data = try members(.data, texts)
        request.overrides = try members(.overrides, texts)
        if badgeKind != .number, text(.badge) != nil {
            throw .invalid(
                Field.badge.rawValue,
                texts["compose.badge_unused"],
                hint: texts["compose.badge_unused_hint"]
            )
        }
        switch badgeKind {
        case .none: break
        case .unread: request.badge = .inbox(.unread)
        case .number:
            guard let number = Int(self[.badge]), (0...Int(Int32.max)).contains(number) else {
                throw .invalid(Field.badge.rawValue, texts["compose.badge_wrong"])
            }
            request.badge = .number(number)
        }
        return request
    }

    /// Where a tap leads: into the web or the app, and nowhere else.
    private func link(_ texts: Texts) throws(Failure) -> String? {
        guard let link = text(.link) else { return nil }
        guard LinkCheck.isTappable(link) else { throw .invalid(Field.link.rawValue, texts["compose.link_wrong"]) }
        return link
    }

    private func audience(_ texts: Texts) throws(Failure) -> AudienceRequest {
        switch kind {
        case .all: return AudienceRequest(all: true)
        case .users:
            let people = try people(texts)
            guard !people.isEmpty else { throw .invalid(Field.users.rawValue, texts["compose.list.none"]) }
            return AudienceRequest(users: people)
        case .topic:
            guard let topic = text(.topic) else {
                throw .invalid(Field.topic.rawValue, texts["compose.topic_missing"])
            }
            return AudienceRequest(topic: topic)
        case .devices: return try devices(texts)
        }
    }

    private func people(_ texts: Texts) throws(Failure) -> [String] {
        let list = PeopleList(typed: self[.users])
        if let lines = fileBadLines, !boxes.contains(.skipsBadLines) {
            throw .invalid(
                Field.users.rawValue,
                lines.sentence("compose.list.file_bad", texts),
                hint: texts["compose.list.bad_hint"]
            )
        }
        if list.badCount > 0, !boxes.contains(.skipsBadLines) {
            throw .invalid(
                Field.users.rawValue,
                texts.counted("compose.list.bad", list.badCount),
                hint: texts["compose.list.bad_hint"]
            )
        }
        if let refusal = list.refusal(texts) { throw refusal }
        return list.people
    }

    /// Ids of devices where all are such, else tokens.
    private func devices(_ texts: Texts) throws(Failure) -> AudienceRequest {
        let lines = self[.devices].split(whereSeparator: { $0.isWhitespace || $0 == "," }).map(String.init)
        guard !lines.isEmpty else { throw .invalid(Field.devices.rawValue, texts["compose.devices_missing"]) }
        let ids = lines.compactMap { PublicID($0) }
        if ids.count == lines.count { return AudienceRequest(endpoints: ids) }
        return AudienceRequest(tokens: lines, platform: Platform(rawValue: self[.platform]) ?? .apns)
    }

    /// A JSON object that an expert typed, read as REST reads it.
    private func members(_ field: Field, _ texts: Texts) throws(Failure) -> [String: JSONValue]? {
        guard let text = text(field) else { return nil }
        guard let members = (try? JSONReader.read(Array(text.utf8)))?.objectValue else {
            throw .invalid(field.rawValue, texts["compose.not_json"], hint: texts["compose.not_json_hint"])
        }
        return members
    }

    /// When it begins, where that is later.
    func begin(_ texts: Texts) throws(Failure) -> Timestamp {
        guard let zone = TimeZone(identifier: text(.zone) ?? "UTC") else {
            throw .invalid(Field.zone.rawValue, texts["compose.zone_wrong"])
        }
        guard let local = LocalMoment(self[.at]) else {
            throw .invalid(Field.at.rawValue, texts["compose.at_missing"])
        }
        guard let moment = local.moment(in: zone) else {
            throw .invalid(
                Field.at.rawValue,
                texts["compose.at_skipped", ["time": local.text, "zone": zone.identifier]],
                hint: texts["compose.at_skipped_hint"]
            )
        }
        return moment
    }

    private func seconds(_ texts: Texts) throws(Failure) -> Int? {
        guard let text = text(.expiry) else { return nil }
        guard let seconds = Int(text), Self.expiries.contains(seconds) else {
            throw .invalid(Field.expiry.rawValue, texts["compose.expiry_wrong"])
        }
        return seconds
    }

    /// How long it may be worth delivering, as the form offers it.
    static let expiries = [900, 3_600, 14_400, 86_400, 259_200, 604_800]
}

extension PeopleList {
    /// What is said of a list that names more people than a notification may; `nil` for any other.
    func refusal(_ texts: Texts) -> Failure? {
        guard isTooLong else { return nil }
        return .invalid(
            ComposeForm.Field.users.rawValue,
            texts["compose.list.too_many", ["n": Texts.number(count)]],
            hint: texts["compose.list.too_many_hint"]
        )
    }
}

extension Failure {
    /// The same refusal; it names the form's field that the API's stands for.
    var atComposeField: Failure {
        guard let field = detail.field else { return self }
        var failure = self
        let first = field.split(whereSeparator: { $0 == "." || $0 == "[" }).first.map(String.init) ?? field
        failure.detail.field =
            switch first {
            case "audience" where field.contains("topic"): "topic"
            case "audience" where field.contains("users"): "users"
            case "audience" where field.contains("tokens") || field.contains("endpoints"): "devices"
            case "deep_link": "link"
            case "send_at": "at"
            case "expires_at", "ttl_seconds": "expiry"
            case "content": "body"
            default: first
            }
        return failure
    }
}
