import Foundation
package import MartletWire

extension Submission {
    /// The submission that a request asks for.
    ///
    /// - Parameters:
    ///   - topic: the one that the audience names.
    ///   - category: the one that the request names.
    ///
    /// What every provider has in common is checked here; the submitter and the providers check the rest.
    ///
    /// - Throws: `Failure` naming the field.
    package init(
        _ request: NotificationRequest,
        app: App,
        topic: Topic? = nil,
        category: Category? = nil,
        now: Timestamp
    ) throws(Failure) {
        let sendAt = try Submission.begin(request.sendAt.map(Timestamp.init), now: now)
        self.init(
            app: app,
            audience: try Audience(request.audience, topic: topic),
            content: try Content(request),
            category: category,
            inbox: try InboxDraft(request),
            inboxBadge: request.badge?.inbox,
            badges: try request.badge?.users() ?? [:],
            hasDeliveryID: request.deliveryID ?? false,
            pushType: request.pushType,
            topic: request.topic,
            class: request.class,
            priority: request.priority,
            collapse: try Collapse(request.collapseID),
            dedup: request.dedup.map(Dedup.init),
            sendAt: sendAt,
            expiry: try Submission.expiry(request, begin: sendAt ?? now),
            retry: RetryPolicy(request.retry)
        )
        if topic != nil {
            message = try TopicMessage(attributes: request.attributes, data: request.data)
        } else if request.attributes != nil {
            throw .invalid(
                "attributes",
                "Attributes need a topic as the audience.",
                hint: "Leave them out; 'data' is what the app gets."
            )
        }
    }

    private static func expiry(_ request: NotificationRequest, begin: Timestamp) throws(Failure) -> Expiry {
        switch (request.expiresAt, request.ttlSeconds) {
        case (nil, nil): return .provider
        case (nil, 0?): return .immediate
        case (nil, let seconds?): return .at(begin + .seconds(seconds))
        case (let moment?, nil): return .at(Timestamp(moment))
        case (_?, _?):
            throw .invalid("ttl_seconds", "An expiry is given twice.", hint: "Send expires_at or ttl_seconds.")
        }
    }
}

extension Submission.Collapse {
    /// What a request says about an older notification of the same kind.
    ///
    /// - Throws: `Failure` for an empty id; its length is Apple's 64 bytes, checked by the schema.
    fileprivate init(_ request: NullablePatch<String>) throws(Failure) {
        switch request {
        case .unset: self = .byDedupKey
        case .null: self = .off
        case .value(let id):
            guard !id.isEmpty else {
                throw .invalid("collapse_id", "It must not be empty.", hint: "Send null for none.")
            }
            self = .id(id)
        }
    }
}

extension Audience {
    /// The audience that a request names.
    ///
    /// - Throws: `Failure` when it names none, or in more than one way.
    fileprivate init(_ request: AudienceRequest, topic: Topic?) throws(Failure) {
        var found: [Audience] = []
        if let users = request.users { found.append(.users(users)) }
        if let endpoints = request.endpoints { found.append(.endpoints(endpoints)) }
        if let tokens = request.tokens {
            found.append(.tokens(tokens, platform: request.platform ?? .apns))
        } else if request.platform != nil {
            throw .invalid("audience.platform", "A platform is for tokens only.", hint: "Leave it out.")
        }
        if let topic { found.append(.topic(TopicSelection(topic))) }
        if request.all == true { found.append(.all) }
        guard let audience = found.first else {
            throw .invalid(
                "audience",
                "The audience is empty.",
                hint: "Name users, endpoints or tokens, or send to everybody with {\"all\": true}."
            )
        }
        guard found.count == 1 else {
            throw .invalid(
                "audience",
                "The audience is given in more than one way.",
                hint: "Send several notifications."
            )
        }
        self = audience
    }
}

extension Content {
    /// The content of a request.
    ///
    /// - Throws: `Failure` for an image that is not https, and for a platform that does not exist.
    fileprivate init(_ request: NotificationRequest) throws(Failure) {
        try Content.check(image: request.image, field: "image")
        if request.deepLink == "" { throw .invalid("deep_link", "It must not be empty.", hint: "Leave it out.") }
        var overrides: [Platform: JSONValue] = [:]
        for (word, value) in request.overrides ?? [:] {
            guard let platform = Platform(word: word), overrides[platform] == nil else {
                throw Failure(
                    .unknownField,
                    "The platform is unknown, or it is duplicated.",
                    hint: "The platforms are: \(Platform.allCases.map(\.rawValue).joined(separator: ", ")).",
                    field: FieldPath.join("overrides", word)
                )
            }
            overrides[platform] = value
        }
        self.init(
            title: request.title?.shown,
            subtitle: request.subtitle?.shown,
            body: request.body?.shown,
            image: request.image,
            deepLink: request.deepLink,
            badge: request.badge?.number,
            sound: request.sound?.shown,
            actionCategory: request.actionCategory,
            threadID: request.threadID,
            data: request.data ?? [:],
            overrides: overrides
        )
    }

    /// Checks that an image, where there is one, is fetched over https.
    package static func check(image: String?, field: String) throws(Failure) {
        guard let image else { return }
        let parts = URLComponents(string: image)
        guard parts?.scheme?.lowercased() == "https", parts?.host?.isEmpty == false else {
            throw .invalid(field, "It is not an https address.")
        }
    }
}

extension BadgeRequest {
    /// The number for everybody.
    fileprivate var number: Int? { if case .number(let number) = self { number } else { nil } }

    /// What of the inbox it counts.
    fileprivate var inbox: InboxBadgeName? { if case .inbox(let name) = self { name } else { nil } }

    /// The numbers by users' ids.
    ///
    /// - Throws: `Failure` for one that a phone cannot show.
    fileprivate func users() throws(Failure) -> [String: Int32] {
        guard case .byUser(let numbers) = self else { return [:] }
        var badges: [String: Int32] = [:]
        for (id, number) in numbers {
            guard let badge = Int32(exactly: number) else {
                throw .invalid(FieldPath.join("badge.by_user", id), "It must be between 0 and \(Int32.max).")
            }
            badges[id] = badge
        }
        return badges
    }
}

extension Dedup {
    /// The rule of a request.
    fileprivate init(_ request: DedupRequest) {
        switch request.cooldownSeconds {
        case .unset: self.init(key: request.key)
        case .null: self.init(key: request.key, cooldown: nil)
        case .value(let seconds): self.init(key: request.key, cooldown: .seconds(seconds))
        }
    }
}

extension RetryPolicy {
    /// The standard policy with what a request changes.
    fileprivate init(_ request: RetryRequest?) {
        self = .standard
        guard let request else { return }
        if let count = request.maxAttempts { maxAttempts = count }
        if let seconds = request.minimumDelaySeconds { minimumDelay = .seconds(seconds) }
        if let seconds = request.maximumDelaySeconds { maximumDelay = .seconds(seconds) }
        if let seconds = request.rateLimitedDelaySeconds { rateLimitedDelay = .seconds(seconds) }
    }
}
