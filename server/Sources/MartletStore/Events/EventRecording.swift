import MartletCore
import MartletWire

/// Writes the events of one upload, inside its transaction.
struct EventRecording {
    private let transaction: Transaction
    private let batch: EventBatch
    private var recorded = 0
    private var counts: [CountKey: Int64] = [:]
    // An upload is of one device as a rule: what is found of it is kept.
    private var subjects: [Set<EventIdentity>: Int64?] = [:]
    private var owners: [PublicID: Set<String>] = [:]
    private var identities: [Claim: Set<EventIdentity>] = [:]

    private struct CountKey: Hashable {
        var message: String
        var type: EventType
    }

    /// By what an event says that its device is known.
    private struct Claim: Hashable {
        var installation: PublicID?
        var fcmToken: String?
        var apnsToken: String?
    }

    /// An upload of which nothing is written yet.
    init(transaction: Transaction, batch: EventBatch) {
        self.transaction = transaction
        self.batch = batch
    }

    /// Writes an event, unless it is known.
    mutating func add(_ event: EventDraft) throws {
        if let key = event.key, try !transaction.claim(key, of: batch.app) { return }
        let (user, subject) = try whose(event)
        try insert(event, user: user, subject: subject)
        try transaction.readItem(openedBy: event, in: batch.app)
        recorded += 1
        tally(event)
        if let message = event.messageID { counts[CountKey(message: message, type: event.type), default: 0] += 1 }
    }

    /// Writes the counts; says how many events were written.
    func finish() throws -> Int {
        for (key, count) in counts {
            try transaction.prepare(
                """
                INSERT INTO event_counts (app_id, message_id, type, count, counted_at) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (app_id, message_id, type)
                DO UPDATE SET count = event_counts.count + excluded.count, counted_at = excluded.counted_at
                """
            )
            .bind(batch.app, key.message, key.type.code, count, transaction.today)
            .run()
        }
        return recorded
    }

    /// Counts an event in the minute of its receipt.
    private func tally(_ event: EventDraft) {
        transaction.tally(batch.app, event.platform.provider) { counts in
            switch event.type {
            case .delivery: counts.deliveries = 1
            case .open: counts.opens = 1
            case .dismiss: counts.dismissals = 1
            case .linkOpen, .deeplinkOpen, .tokenRegister: break
            }
        }
    }

    /// The user whose event it is; where there is none, the subject that will know who came next.
    private mutating func whose(_ event: EventDraft) throws -> (user: String?, subject: Int64?) {
        let identities = try identities(of: event)
        if let user = event.user {
            guard try isProven(user, of: event.installation) else { return (nil, nil) }
            try transaction.associate(identities, with: user, in: batch.app)
            subjects[identities] = nil
            return (user, nil)
        }
        guard !identities.isEmpty else { return (nil, nil) }
        if let known = subjects[identities] { return (nil, known) }
        let subject = try transaction.subject(of: identities, in: batch.app)
        subjects[identities] = subject
        return (nil, subject)
    }

    private mutating func isProven(_ user: String, of installation: PublicID?) throws -> Bool {
        guard case .proven(let known) = batch.users else { return true }
        if let known, known.utf8.elementsEqual(user.utf8) { return true }
        guard let installation else { return false }
        if owners[installation] == nil {
            owners[installation] = try transaction.users(of: installation, in: batch.app)
        }
        return owners[installation]?.contains { $0.utf8.elementsEqual(user.utf8) } ?? false
    }

    /// By what the event's device is known. A token counts beside an installation only if it is the installation's own:
    /// naming a stranger's token must not join their events.
    private mutating func identities(of event: EventDraft) throws -> Set<EventIdentity> {
        let claim = Claim(
            installation: event.installation,
            fcmToken: event.fcmToken,
            apnsToken: event.apnsToken
        )
        if let known = identities[claim] { return known }
        let tokens = [claim.fcmToken.map(EventIdentity.fcmToken), claim.apnsToken.map(EventIdentity.apnsToken)]
        var found = Set(tokens.compactMap(\.self))
        if let installation = claim.installation {
            found = try found.filter { try transaction.owns(installation, $0, in: batch.app) }
            found.insert(.installation(installation))
        }
        identities[claim] = found
        return found
    }

    private func insert(_ event: EventDraft, user: String?, subject: Int64?) throws {
        let time = EventTime(clientTime: event.clientTime, now: transaction.now, retention: batch.retention)
        try transaction.prepare(
            """
            INSERT INTO push_events (app_id, type, platform, time, client_time, received_at, event_id, message_id,
                campaign_id, user_id, subject_id, value, fcm_token, apns_token, installation_id, device_model,
                os_version, app_version)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        )
        .bind(
            batch.app,
            event.type.code,
            event.platform.code,
            time.time,
            time.refused,
            transaction.now,
            event.eventID,
            event.messageID,
            event.campaignID,
            user,
            subject,
            event.value,
            event.fcmToken,
            event.apnsToken,
            event.installation,
            event.deviceModel,
            event.osVersion,
            event.appVersion
        )
        .run()
    }
}

extension Transaction {
    /// The beginning of the present day in UTC: what is kept to a day is written once a day.
    var today: Timestamp { Timestamp(milliseconds: now.rawValue - now.rawValue % 86_400_000) }

    /// Remembers an event's key; says whether it was unknown, or known long ago.
    fileprivate func claim(_ key: EventDraft.Key, of app: RowID<App>) throws -> Bool {
        try prepare(
            """
            INSERT INTO event_keys (app_id, event_key, known_until) VALUES (?1, ?2, ?3)
            ON CONFLICT (app_id, event_key)
            DO UPDATE SET known_until = excluded.known_until WHERE event_keys.known_until <= ?4
            """
        )
        .bind(app, key.id, now + key.memory, now)
        .changes() > 0
    }

    /// The users to whom an installation belongs.
    fileprivate func users(of installation: PublicID, in app: RowID<App>) throws -> Set<String> {
        Set(
            try prepare(
                """
                SELECT u.external_id FROM installations i
                JOIN endpoints e ON e.app_id = i.app_id AND e.installation_id = i.id AND e.status <> 2
                JOIN users u ON u.id = e.user_id
                WHERE i.app_id = ? AND i.public_id = ?
                """
            )
            .bind(app, installation)
            .all { $0.optionalText("external_id") }
            .compactMap(\.self)
        )
    }
}
