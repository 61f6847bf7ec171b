public import MartletWire

/// Whom a notification is for.
public enum Audience: Sendable, Hashable, Codable {
    /// These users, on all of their devices.
    case users([String])
    /// These endpoints.
    case endpoints([PublicID])
    /// These tokens of one platform, registered or not.
    case tokens([String], platform: Platform)
    /// Everybody the app can reach.
    case all
    /// Those of the app's users and endpoints that are subscribed to a topic when the notification is accepted.
    case topic(TopicSelection)

    /// The most users, endpoints or tokens that one request may name: they are stored with the notification. For more
    /// there is the whole app, or several requests with the same dedup key.
    public static let limit = 10_000

    /// How many are named; `nil` for everybody and for a topic.
    public var count: Int? {
        switch self {
        case .users(let ids): ids.count
        case .endpoints(let ids): ids.count
        case .tokens(let tokens, _): tokens.count
        case .all, .topic: nil
        }
    }

    /// Whether it names devices and not people. A topic has subscribers of both kinds: who subscribed with one device must
    /// not get it on the others.
    public var isOfDevices: Bool {
        switch self {
        case .users, .all: false
        case .endpoints, .tokens, .topic: true
        }
    }

    /// What a notification to it waits behind, where the sender says nothing: an announcement may wait for what concerns
    /// one person.
    public var usualClass: NotificationClass {
        switch self {
        case .users, .endpoints, .tokens: .default
        case .all, .topic: .bulk
        }
    }

    /// Checks that somebody is named, not too many, and each in a proper form; brings tokens into their stored form
    /// and drops repetitions.
    ///
    /// - Parameter providers: those whose tokens may be named.
    package func validated(by providers: [Platform: any Provider]) throws(Failure) -> Audience {
        if let count {
            guard count > 0 else {
                throw .invalid(
                    "audience",
                    "The audience is empty.",
                    hint: "Name users, endpoints or tokens, or send to everybody with {\"all\": true}."
                )
            }
            guard count <= Audience.limit else {
                throw .invalid("audience", "An audience names at most \(Audience.limit); this one names \(count).")
            }
        }
        switch self {
        case .users(let ids):
            for (index, id) in ids.enumerated() { try User.validate(id: id, field: "audience.users[\(index)]") }
            return .users(ids.withoutRepetitions { Array($0.utf8) })
        case .endpoints(let ids): return .endpoints(ids.withoutRepetitions { $0 })
        case .tokens(let tokens, let platform):
            var normal: [String] = []
            for (index, token) in tokens.enumerated() {
                let field = "audience.tokens[\(index)]"
                normal.append(try providers.normalize(token, platform: platform, field: field))
            }
            return .tokens(normal.withoutRepetitions { Array($0.utf8) }, platform: platform)
        case .all, .topic: return self
        }
    }
}

/// A topic as an audience: its name stays readable when the topic is gone.
public struct TopicSelection: Sendable, Hashable, Codable {
    /// The topic's id.
    public var id: PublicID
    /// Its name.
    public var name: String

    package init(id: PublicID, name: String) {
        self.id = id
        self.name = name
    }

    /// A topic's subscribers.
    public init(_ topic: Topic) { self.init(id: topic.id, name: topic.name) }
}

extension Array {
    /// By a key, because texts that look the same are the same to Swift, and to a database they differ by their bytes.
    fileprivate func withoutRepetitions<Key: Hashable>(by key: (Element) -> Key) -> [Element] {
        var seen = Set<Key>()
        return filter { seen.insert(key($0)).inserted }
    }
}
