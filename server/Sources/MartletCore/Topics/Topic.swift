public import MartletWire

/// What people subscribe to: a notification to a topic reaches its subscribers.
public struct Topic: Sendable, Hashable {
    /// The key inside the store.
    public var row: RowID<Topic>
    /// The id outside.
    public var id: PublicID
    /// Whose it is; `nil` is the server's own, whose subscribers may be of any app.
    public var app: RowID<App>?
    /// The region, in which names are unique for each owner.
    public var region: String
    /// The name.
    public var name: String
    /// Whether messages keep their order.
    public var isFIFO: Bool
    /// What was set about it, by name; only whoever set it knows what it means.
    public var attributes: [String: String]
    /// The operator's own words about it.
    public var tags: [String: String]
    /// How many subscriptions it has and had.
    public var counts: SubscriptionCounts
    /// When it was made.
    public var createdAt: Timestamp

    /// The region of a topic where nobody names one: what Amazon's tools take without a setting.
    public static let defaultRegion = "us-east-1"

    package init(
        row: RowID<Topic>,
        id: PublicID,
        app: RowID<App>?,
        region: String,
        name: String,
        isFIFO: Bool,
        attributes: [String: String],
        tags: [String: String],
        counts: SubscriptionCounts,
        createdAt: Timestamp
    ) {
        self.row = row
        self.id = id
        self.app = app
        self.region = region
        self.name = name
        self.isFIFO = isFIFO
        self.attributes = attributes
        self.tags = tags
        self.counts = counts
        self.createdAt = createdAt
    }
}

/// A topic on its way into the store.
public struct TopicDraft: Sendable, Hashable {
    /// Whose it is; `nil` is the server's own.
    public var app: RowID<App>?
    /// The region.
    public var region: String
    /// The name.
    public var name: String
    /// Whether messages keep their order.
    public var isFIFO: Bool
    /// What is set about it.
    public var attributes: [String: String]
    /// The operator's own words about it.
    public var tags: [String: String]

    package init(
        app: RowID<App>? = nil,
        region: String = Topic.defaultRegion,
        name: String,
        isFIFO: Bool = false,
        attributes: [String: String] = [:],
        tags: [String: String] = [:]
    ) {
        self.app = app
        self.region = region
        self.name = name
        self.isFIFO = isFIFO
        self.attributes = attributes
        self.tags = tags
    }

    /// Checks name, tags and attributes.
    ///
    /// - Throws: `Failure` naming `name`, `tags` or `attributes`.
    public func validate() throws(Failure) {
        try Topic.validate(name: name, isFIFO: isFIFO)
        try Topic.validate(tags: tags)
        try Topic.validate(attributes: attributes)
    }
}

/// What is to change about a topic: of each name the value that it gets, `nil` takes it away; others stay.
public struct TopicUpdate: Sendable, Hashable {
    /// What is set about it.
    public var attributes: [String: String?]
    /// The operator's own words about it.
    public var tags: [String: String?]
    /// What attributes must still be for the update to be made, `nil` for none: what it was made from.
    public var expecting: [String: String?]

    package init(
        attributes: [String: String?] = [:],
        tags: [String: String?] = [:],
        expecting: [String: String?] = [:]
    ) {
        self.attributes = attributes
        self.tags = tags
        self.expecting = expecting
    }
}

/// What asking for a topic came to.
public struct CreatedTopic: Sendable, Hashable {
    /// The topic: the new one, or the one that had the name.
    public var topic: Topic
    /// Whether it is new.
    public var isNew: Bool

    package init(topic: Topic, isNew: Bool) {
        self.topic = topic
        self.isNew = isNew
    }
}

extension Topic {
    /// What ends the name of a topic whose messages keep their order, and of no other (Amazon SNS, CreateTopic).
    public static let fifoSuffix = ".fifo"

    /// The most tags: Amazon's 50 of a resource.
    public static let tagLimit = 50

    /// The most bytes of all attributes together, names and values: 256 KiB, ours, above every policy that Amazon takes.
    public static let attributesLimit = 262_144

    /// Checks a name: 1 to 256 letters, digits, `_` and `-` (Amazon SNS, CreateTopic), the suffix `.fifo` with it.
    public static func validate(name: String, isFIFO: Bool = false) throws(Failure) {
        let isEnded = name.hasSuffix(fifoSuffix)
        let stem = isEnded ? String(name.dropLast(fifoSuffix.count)) : name
        let isWord = stem.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || byte == 0x5F || byte == 0x2D
        }
        guard !stem.isEmpty, name.utf8.count <= 256, isWord, isEnded == isFIFO else {
            throw .invalid(
                "name",
                "A topic's name has 1 to 256 letters, digits, '_' and '-'.",
                hint: hint(isFIFO: isFIFO, isEnded: isEnded)
            )
        }
    }

    private static func hint(isFIFO: Bool, isEnded: Bool) -> String? {
        if isFIFO { return "A FIFO topic's name ends in '.fifo'." }
        guard isEnded else { return nil }
        return """
            A name that ends in '.fifo' is a FIFO topic's. Leave the ending out, or make a FIFO topic through the SNS \
            interface: aws sns create-topic --name NAME.fifo --attributes FifoTopic=true
            """
    }

    /// Checks tags: at most 50, keys of 1 to 128 characters, values of at most 256 (Amazon SNS, Tag).
    public static func validate(tags: [String: String]) throws(Failure) {
        guard tags.count <= tagLimit else {
            throw .invalid("tags", "A topic has at most \(tagLimit) tags; these are \(tags.count).")
        }
        for (key, value) in tags where !(1...128).contains(key.count) || value.count > 256 {
            throw .invalid("tags", "A tag's key has 1 to 128 characters and its value at most 256.")
        }
    }

    /// Checks the size of attributes.
    public static func validate(attributes: [String: String]) throws(Failure) {
        let size = attributes.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
        guard size <= attributesLimit else {
            throw .invalid("attributes", "Attributes have at most \(attributesLimit) bytes; these have \(size).")
        }
    }
}

extension [String: String] {
    /// These values with what an update says laid over them.
    public func updated(by update: [String: String?]) -> [String: String] {
        var values = self
        for (name, value) in update { values[name] = value }
        return values
    }
}
