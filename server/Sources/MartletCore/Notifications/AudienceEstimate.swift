/// How many a notification would go to if it were accepted now, and how many people would be kept out.
public struct AudienceEstimate: Sendable, Hashable {
    /// People who would get it on at least one device; an anonymous device counts as one.
    public var people = 0
    /// Devices that it would be sent to.
    public var devices = 0
    /// People who would get it on no device, by what keeps them out; of several reasons that of their first device.
    public var keptOut: [Suppression.Reason: Int] = [:]
    /// Whether everybody was looked at.
    public var isExact = true

    package init() {}

    /// Adds so many times what was found of a sample.
    package mutating func add(_ sample: AudienceEstimate, times factor: Double) {
        func scaled(_ count: Int) -> Int { Int((Double(count) * factor).rounded()) }
        people += scaled(sample.people)
        devices += scaled(sample.devices)
        for (reason, count) in sample.keptOut { keptOut[reason, default: 0] += scaled(count) }
    }
}

/// An audience that is asked about, without a notification.
public struct AudienceQuery: Sendable {
    /// Whose people.
    public var app: RowID<App>
    /// Which people, validated.
    public var audience: Audience
    /// What their choices are asked for; `nil` asks only that over all.
    public var category: Category?
    /// What the filters of a topic's subscribers look at.
    public var message: TopicMessage

    package init(
        app: RowID<App>,
        audience: Audience,
        category: Category? = nil,
        message: TopicMessage = TopicMessage()
    ) {
        self.app = app
        self.audience = audience
        self.category = category
        self.message = message
    }
}

/// How many an audience is made of, before anybody is kept out.
public struct AudienceSize: Sendable, Hashable {
    /// A part of it that is read in the order of one key.
    public struct Layer: Sendable, Hashable {
        /// How many people there are.
        public var count: Int
        /// Between which keys.
        public var keys: ClosedRange<Int64>

        package init(count: Int, keys: ClosedRange<Int64>) {
            self.count = count
            self.keys = keys
        }
    }

    /// Devices that are met by themselves: those of nobody, or subscribed ones.
    public var devices: Layer?
    /// Users; where names are given, these by their places.
    public var users: Layer?

    package init(devices: Layer? = nil, users: Layer? = nil) {
        self.devices = devices
        self.users = users
    }
}
