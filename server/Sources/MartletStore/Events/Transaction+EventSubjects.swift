import MartletCore
import MartletWire

/// By what a device is known to which events belong.
enum EventIdentity: Hashable {
    /// The installation, which proved itself.
    case installation(PublicID)
    /// A token at Firebase Cloud Messaging.
    case fcmToken(String)
    /// A token at Apple.
    case apnsToken(String)

    /// How it is stored: its kind, and the bytes.
    fileprivate var stored: (kind: Int64, bytes: [UInt8]) {
        switch self {
        case .installation(let id): (1, id.bytes)
        case .fcmToken(let token): (2, Array(token.utf8))
        case .apnsToken(let token): (3, Array(token.utf8))
        }
    }

    /// The token of an endpoint, where events name such tokens.
    init?(tokenOf endpoint: Endpoint) { self.init(token: endpoint.token, of: endpoint.platform) }

    /// A token, where events are reported under it.
    init?(token: String, of platform: Platform) {
        switch platform {
        case .apns: self = .apnsToken(token)
        case .fcm: self = .fcmToken(token)
        case .webpush: return nil
        }
    }

    /// The endpoint's platform and token; `nil` for an installation.
    fileprivate var token: (platform: Platform, text: String)? {
        switch self {
        case .installation: nil
        case .fcmToken(let text): (.fcm, text)
        case .apnsToken(let text): (.apns, text)
        }
    }
}

// A subject is a device between two users. Events without a user belong to the subject of their device. When a user
// comes, the subject is theirs: one row changes, and all of its events are. When the user goes, or another one comes,
// the device is given another subject by its next event without a user.
extension Transaction {
    /// Joins what a device reported before to the user that it belongs to now.
    func associateEvents(of endpoint: Endpoint, owner: Registration.Owner) throws {
        var identities: Set<EventIdentity> = []
        if let token = EventIdentity(tokenOf: endpoint) { identities.insert(token) }
        if let installation = endpoint.installation { identities.insert(.installation(installation)) }
        if let user = endpoint.user?.id {
            try associate(identities, with: user, in: endpoint.app)
        } else if owner == .nobody {
            try dissociate(identities, in: endpoint.app)
        }
    }

    /// Joins what was reported under these identities to a user, unless it is another's already.
    func associate(_ identities: Set<EventIdentity>, with user: String, in app: RowID<App>) throws {
        for identity in identities {
            guard let known = try knownSubject(of: identity, in: app) else { continue }
            if let other = known.user {
                if !other.utf8.elementsEqual(user.utf8) { try forget(identity, in: app) }
            } else {
                try prepare("UPDATE event_subjects SET user_id = ? WHERE id = ?").bind(user, known.row).run()
            }
        }
    }

    /// A user logged out: what comes from now on is of whoever comes next.
    private func dissociate(_ identities: Set<EventIdentity>, in app: RowID<App>) throws {
        for identity in identities where try knownSubject(of: identity, in: app)?.user != nil {
            try forget(identity, in: app)
        }
    }

    /// The subject of an event without a user: by installation first, then by token. A new one is of the user that the
    /// device belongs to, if there is one.
    func subject(of identities: Set<EventIdentity>, in app: RowID<App>) throws -> Int64 {
        let ordered = identities.sorted { $0.stored.kind < $1.stored.kind }
        var found: (row: Int64, user: String?)?
        for identity in ordered where found == nil { found = try knownSubject(of: identity, in: app) }
        let row: Int64
        if let found {
            row = found.row
            try prepare("UPDATE event_subjects SET used_at = ?1 WHERE id = ?2 AND used_at <> ?1").bind(today, row).run()
        } else {
            var owner: String?
            for identity in ordered where owner == nil { owner = try self.owner(of: identity, in: app) }
            row = try prepare("INSERT INTO event_subjects (user_id, used_at) VALUES (?, ?) RETURNING id")
                .bind(owner, today)
                .one { $0.int("id") }
        }
        for identity in ordered {
            let (kind, bytes) = identity.stored
            try prepare(
                """
                INSERT INTO event_identities (app_id, kind, identity, subject_id) VALUES (?, ?, ?, ?)
                ON CONFLICT (app_id, kind, identity) DO NOTHING
                """
            )
            .bind(app, kind, bytes, row)
            .run()
        }
        return row
    }

    /// Whether a token is an installation's own.
    func owns(_ installation: PublicID, _ identity: EventIdentity, in app: RowID<App>) throws -> Bool {
        guard let token = identity.token else { return false }
        return try prepare(
            """
            SELECT 1 FROM endpoints e JOIN installations i ON i.id = e.installation_id
            WHERE e.app_id = ? AND e.platform = ? AND e.token = ? AND i.public_id = ?
            """
        )
        .bind(app, token.platform.code, token.text, installation)
        .exists()
    }

    /// Asks for what was reported under an identity.
    func ask(forSubjectOf identity: EventIdentity, in app: RowID<App>) throws {
        let (kind, bytes) = identity.stored
        try prepare(SQL.eventSubject).bind(app, kind, bytes).ask()
    }

    private func knownSubject(of identity: EventIdentity, in app: RowID<App>) throws -> (row: Int64, user: String?)? {
        let (kind, bytes) = identity.stored
        return try prepare(SQL.eventSubject).bind(app, kind, bytes).first {
            ($0.int("id"), $0.optionalText("user_id"))
        }
    }

    private func forget(_ identity: EventIdentity, in app: RowID<App>) throws {
        let (kind, bytes) = identity.stored
        try prepare(SQL.deleteEventIdentity).bind(app, kind, bytes).run()
    }

    /// The user whose device it is now.
    private func owner(of identity: EventIdentity, in app: RowID<App>) throws -> String? {
        switch identity {
        case .installation(let id):
            try prepare(
                """
                SELECT u.external_id FROM installations i
                JOIN endpoints e ON e.app_id = i.app_id AND e.installation_id = i.id AND e.status <> 2
                JOIN users u ON u.id = e.user_id
                WHERE i.app_id = ? AND i.public_id = ? ORDER BY e.registered_at DESC, e.id DESC LIMIT 1
                """
            )
            .bind(app, id)
            .first { $0.optionalText("external_id") } ?? nil
        case .fcmToken(let token): try owner(of: .fcm, token, in: app)
        case .apnsToken(let token): try owner(of: .apns, token, in: app)
        }
    }

    private func owner(of platform: Platform, _ token: String, in app: RowID<App>) throws -> String? {
        try prepare(
            """
            SELECT u.external_id FROM endpoints e JOIN users u ON u.id = e.user_id
            WHERE e.app_id = ? AND e.platform = ? AND e.token = ? AND e.status <> 2
            """
        )
        .bind(app, platform.code, token)
        .first { $0.optionalText("external_id") } ?? nil
    }
}
