/// A change that somebody made.
public struct AuditItem: Sendable, Hashable, Codable {
    /// When.
    public var at: UTCTime
    /// Who.
    public var actor: Actor
    /// What was done, as `noun.verb`.
    public var action: String
    /// What was changed.
    public var subject: Subject
    /// The app that it was about, while there is one.
    public var appID: PublicID?
    /// What was there, without secrets.
    public var before: JSONValue?
    /// What is there now, without secrets.
    public var after: JSONValue?

    public init(
        at: UTCTime,
        actor: Actor,
        action: String,
        subject: Subject,
        appID: PublicID?,
        before: JSONValue?,
        after: JSONValue?
    ) {
        self.at = at
        self.actor = actor
        self.action = action
        self.subject = subject
        self.appID = appID
        self.before = before
        self.after = after
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case at, actor, action, subject
        case appID = "app_id"
        case before, after
    }
}

extension AuditItem {
    /// Who changed something.
    public struct Actor: Sendable, Hashable, Codable {
        /// What kind of somebody.
        public var kind: AuditActorKind
        /// The operator's or the key's id; empty of the system.
        public var id: String
        /// Their name at that time.
        public var name: String

        public init(kind: AuditActorKind, id: String, name: String) {
            self.kind = kind
            self.id = id
            self.name = name
        }

        /// The fields on the wire.
        public enum CodingKeys: String, CodingKey, CaseIterable { case kind, id, name }
    }

    /// What was changed.
    public struct Subject: Sendable, Hashable, Codable {
        /// The noun, such as `app`.
        public var kind: String
        /// Its id, or its name where it has none.
        public var id: String

        public init(kind: String, id: String) {
            self.kind = kind
            self.id = id
        }

        /// The fields on the wire.
        public enum CodingKeys: String, CodingKey, CaseIterable { case kind, id }
    }
}

/// What kind of somebody it is.
public enum AuditActorKind: String, Sendable, Hashable, Codable, CaseIterable {
    /// A person in the console.
    case `operator`
    /// The holder of a key.
    case key
    /// The server itself, or who has its command line.
    case system
}
