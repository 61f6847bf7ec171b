import MartletWire

@testable import MartletHTTP

/// One value of every document of the wire, with every field filled.
struct WireSample: Sendable {
    var schema: DocumentSchema
    var value: any Encodable & Sendable

    init<Value: Documented & Encodable>(_ value: Value) {
        schema = Value.schema
        self.value = value
    }
}

enum WireSamples {
    static let id = PublicID(high: 0x0190_0000_0000_7000, low: 0x8000_0000_0000_0001)
    static let time = UTCTime(milliseconds: 1_800_000_000_000)

    static var all: [WireSample] { requests + devices + apps + topics + notifications + events }

    static var requests: [WireSample] {
        let identity = IdentityRequest(
            mode: .signed,
            issuer: .value("i"),
            audience: .null,
            secret: .value("s"),
            jwks: .value([:]),
            jwksURL: .null
        )
        var credential = CredentialRequest(platform: .apns, environment: .sandbox, bundleID: "b")
        credential.p8 = "a"
        credential.keyID = "a"
        credential.teamID = "a"
        credential.p12 = "a"
        credential.password = "a"
        credential.certificate = "a"
        credential.privateKey = "a"
        credential.url = "a"
        credential.trust = "a"
        return [
            WireSample(identity), WireSample(AppRequest(name: "a", identity: identity)),
            WireSample(AppUpdate(name: "a", identity: identity)), WireSample(credential),
            WireSample(KeyRequest(scope: .send, app: "a", name: "n")),
            WireSample(AccessKeyRequest(name: "n", allow: ["*:*"])),
        ]
    }

    static var devices: [WireSample] {
        var registration = TokenRegistrationRequest(
            app: "a",
            installationID: id,
            token: "aa",
            platform: .apns,
            environment: .production,
            userID: .value("u"),
            previousToken: "bb"
        )
        var device = DeviceRequest(
            app: "a",
            userID: "u",
            token: "aa",
            platform: .apns,
            environment: .sandbox,
            previousToken: "bb"
        )
        var update = DeviceUpdate(isActive: true, userID: .null)
        var answer = DeviceResponse(
            id: id,
            userID: "u",
            deviceToken: "aa",
            platform: .apns,
            environment: .sandbox,
            installationID: id,
            isActive: false,
            inactiveReason: "stale",
            createdAt: time,
            lastSeenAt: time
        )
        registration.permission = .denied
        registration.deviceModel = "m"
        registration.osVersion = "m"
        registration.appVersion = "m"
        registration.locale = "m"
        registration.timeZone = "m"
        device.deviceModel = "m"
        device.osVersion = "m"
        device.appVersion = "m"
        device.locale = "m"
        device.timeZone = "m"
        update.deviceModel = "m"
        update.osVersion = "m"
        update.appVersion = "m"
        update.locale = "m"
        update.timeZone = "m"
        answer.permission = .authorized
        answer.deviceModel = "m"
        answer.osVersion = "m"
        answer.appVersion = "m"
        answer.locale = "m"
        answer.timeZone = "m"
        answer.customUserData = "m"
        let registered = TokenRegistrationResponse(
            endpointID: id,
            installationID: id,
            installationSecret: "s",
            userID: "u",
            platform: .apns,
            environment: .sandbox,
            isActive: true,
            createdAt: time,
            registeredAt: time
        )
        return [
            WireSample(registration), WireSample(device), WireSample(update), WireSample(answer),
            WireSample(registered),
        ]
    }

    static var apps: [WireSample] {
        let identity = IdentityResponse(
            mode: .signed,
            issuer: "i",
            audience: "a",
            verification: .jwksURL,
            jwksURL: "u"
        )
        return [
            WireSample(identity), WireSample(AppResponse(id: id, name: "a", identity: identity, createdAt: time)),
            WireSample(
                CredentialResponse(
                    platform: .apns,
                    environment: .sandbox,
                    kind: .token,
                    bundleID: "b",
                    keyID: "k",
                    teamID: "t",
                    expiresAt: time,
                    url: "u",
                    createdAt: time
                )
            ),
            WireSample(
                PauseResponse(platform: .apns, environment: .sandbox, reason: "r", advice: "a", since: time)
            ),
            WireSample(
                BreakerResponse(
                    platform: .apns,
                    environment: .sandbox,
                    state: .open,
                    reason: "r",
                    since: time,
                    probeAt: time
                )
            ),
            WireSample(
                KeyResponse(
                    id: id,
                    scope: .admin,
                    appID: id,
                    name: "n",
                    prefix: "p",
                    createdAt: time,
                    revokedAt: time,
                    key: "k"
                )
            ),
            WireSample(
                AccessKeyResponse(
                    accessKeyID: "i",
                    name: "n",
                    createdAt: time,
                    revokedAt: time,
                    allow: ["*:*"],
                    secretAccessKey: "s"
                )
            ),
            WireSample(FindingItem(level: .ok, subject: "s", message: "m", advice: "a")),
            WireSample(HealthResponse(status: "ok")),
            WireSample(ErrorBody(.init(code: .notFound, message: "m", hint: "h", field: "f"))),
            WireSample(ErrorBody.Detail(code: .notFound, message: "m", hint: "h", field: "f")),
        ]
    }

    static var topics: [WireSample] {
        let counts = SubscriptionCountsResponse(confirmed: 1, pending: 1, deleted: 1)
        var subscription = SubscriptionResponse(
            id: id,
            topicID: id,
            topic: "t",
            kind: .user,
            appID: id,
            isConfirmed: true,
            createdAt: time
        )
        subscription.userID = "u"
        subscription.endpointID = id
        subscription.url = "u"
        subscription.filterPolicy = [:]
        subscription.filterScope = .body
        return [
            WireSample(TopicRequest(name: "n", app: "a", attributes: ["a": "b"], tags: ["a": "b"])),
            WireSample(TopicChange(attributes: ["a": .null], tags: ["a": "b"])), WireSample(counts),
            WireSample(
                TopicResponse(
                    id: id,
                    name: "n",
                    appID: id,
                    region: "r",
                    isFIFO: false,
                    attributes: ["a": "b"],
                    tags: ["a": "b"],
                    subscriptions: counts,
                    createdAt: time
                )
            ),
            WireSample(
                SubscriptionRequest(app: "a", userID: "u", endpointID: id, filterPolicy: [:], filterScope: .attributes)
            ),
            WireSample(SubscriptionChange(filterPolicy: .null, filterScope: .attributes)), WireSample(subscription),
        ]
    }

    static var notifications: [WireSample] {
        let audience = AudienceRequest(
            users: ["u"],
            endpoints: [id],
            tokens: ["aa"],
            platform: .apns,
            topic: "t",
            all: true
        )
        let dedup = DedupRequest(key: "k", cooldownSeconds: .value(1))
        let retry = RetryRequest(
            maxAttempts: 1,
            minimumDelaySeconds: 1,
            maximumDelaySeconds: 1,
            rateLimitedDelaySeconds: 1
        )
        var request = NotificationRequest(app: "a", audience: audience, title: "t", body: "b")
        request.subtitle = "s"
        request.image = "i"
        request.deepLink = "d"
        request.badge = 1
        request.sound = "s"
        request.category = "c"
        request.threadID = "t"
        request.data = ["k": 1]
        request.overrides = ["apns": [:]]
        request.pushType = "alert"
        request.topic = "t"
        request.priority = .normal
        request.collapseID = .value("c")
        request.dedup = dedup
        request.sendAt = time
        request.expiresAt = time
        request.ttlSeconds = 1
        request.retry = retry
        request.attributes = ["k": 1]
        let counts = CountsResponse(
            pending: 1,
            accepted: 1,
            rejected: 1,
            suppressed: 1,
            expired: 1,
            cancelled: 1,
            dead: 1
        )
        var answer = NotificationResponse(
            id: id,
            appID: id,
            status: .done,
            audience: AudienceResponse(kind: .users, count: 1, topic: "t"),
            priority: .high,
            counts: counts,
            events: EventCountsResponse(deliveries: 1, opens: 1, dismissals: 1, links: 1, deeplinks: 1),
            createdAt: time,
            sendAt: time,
            expiresAt: time
        )
        answer.title = "t"
        answer.body = "b"
        answer.dedupKey = "k"
        answer.collapseID = "c"
        answer.pauses = [
            PauseResponse(platform: .apns, environment: .sandbox, reason: "r", advice: "a", since: time)
        ]
        return [
            WireSample(audience), WireSample(dedup), WireSample(retry), WireSample(request), WireSample(counts),
            WireSample(AudienceResponse(kind: .users, count: 1, topic: "t")), WireSample(answer),
            WireSample(NotificationAccepted(id: id, status: .sending)),
            WireSample(
                DeliveryItem(
                    id: id,
                    endpointID: id,
                    userID: "u",
                    platform: .apns,
                    state: .dead,
                    reason: "r",
                    attempts: 1,
                    at: time
                )
            ),
            WireSample(
                SuppressionItem(
                    endpointID: id,
                    userID: "u",
                    platform: .apns,
                    reason: "duplicate",
                    heldBy: id,
                    at: time
                )
            ),
            WireSample(
                DeadLetterItem(
                    id: id,
                    notificationID: id,
                    endpointID: id,
                    userID: "u",
                    reason: "r",
                    attempts: 1,
                    diedAt: time
                )
            ),
            WireSample(
                WebhookDeadLetterItem(
                    id: id,
                    messageID: id,
                    topic: "t",
                    subscriptionID: id,
                    url: "u",
                    message: "m",
                    subject: "s",
                    reason: "r",
                    attempts: 1,
                    diedAt: time
                )
            ),
            WireSample(
                QuarantineItem(
                    id: id,
                    notificationID: id,
                    kind: .batch,
                    platform: .apns,
                    environment: .sandbox,
                    deliveries: 1,
                    reason: .crashed,
                    tries: 5,
                    since: time
                )
            ),
        ]
    }
}
