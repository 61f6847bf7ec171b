public import MartletWire

/// What a person's devices are told after they read on one: the number on the icon, and what need not be shown any more.
public struct BadgeSync: Sendable, Hashable {
    /// Whose app.
    public var app: RowID<App>
    /// Their devices, without the one on which they read.
    public var endpoints: [PublicID]
    /// The notifications that they read last, newest first. One push tells what the last did, and so makes up for it.
    public var read: [PublicID]

    /// How far apart a person's devices are told: half a minute, so that reading a list costs one push.
    public static let interval: Duration = .seconds(30)

    /// For how long it is worth telling. Ours: later the next notification tells the number.
    private static let lifetime: Duration = .seconds(3_600)

    /// How long what was read is told anew: as long as APNs may keep the last push for a device that is off.
    package static let memory: Duration = lifetime

    /// How many of a person's own items are named: ours. With half as many shared ones their ids take 3 KB of the 4 KB of a
    /// payload.
    package static let readLimit = 40

    package init(app: RowID<App>, endpoints: [PublicID], read: [PublicID]) {
        self.app = app
        self.endpoints = endpoints
        self.read = read
    }

    /// A push of nothing but the number that the person's inbox has when it is sent. Where it wakes the app, the SDK
    /// removes what is shown of the notifications that were read.
    package func submission(app: App, now: Timestamp) -> Submission {
        Submission(
            app: app,
            audience: .endpoints(endpoints),
            content: read.isEmpty ? Content() : Content(removing: read),
            inboxBadge: .unread,
            priority: .normal,
            collapse: .id("martlet.badge"),
            expiry: .at(now + Self.lifetime)
        )
    }
}

extension Content {
    /// What has the SDK remove what it shows of some notifications; the system wakes the app for it.
    package init(removing notifications: [PublicID]) {
        self.init(
            data: ["martlet": .object(["remove": .array(notifications.map { .string($0.description) })])],
            overrides: [.apns: .object(["aps": .object(["content-available": .integer(1)])])]
        )
    }
}
