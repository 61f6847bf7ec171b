public import MartletWire

/// What is written of a notification as it is accepted, whomever it is for. A pure value.
public struct Acceptance: Sendable {
    /// How far the reading of the audience has come.
    public enum FanOut: Sendable, Hashable {
        /// It waits for the notification's time.
        case scheduled
        /// It is left to the workers.
        case open
        /// All of it is read and gated: its batches are written with the notification.
        case complete(GatedPage)
    }

    /// When the notification begins.
    public let sendAt: Timestamp
    /// How far the reading of the audience has come.
    public private(set) var fanOut: FanOut
    /// Passed by an audience that is read where it is accepted; `nil` where none is.
    private let gate: Gate?
    private let hasDedup: Bool

    /// How many names an audience may have to be read in the transaction that accepts it, and how many endpoints.
    /// Ours: what holds the writer for about a millisecond.
    public static let shortAudience = (names: 20, endpoints: 100)

    /// A notification before its audience is looked at.
    ///
    /// - Parameter gate: where given, the audience is read at once if it is due, and short or a topic's.
    public init(_ draft: NotificationDraft, gate: Gate?, now: Timestamp) {
        sendAt = draft.sendAt ?? now
        fanOut = sendAt > now ? .scheduled : .open
        hasDedup = draft.dedup != nil
        let mayBeShort =
            switch draft.audience {
            case .all: false
            case .topic: true
            case .users, .endpoints, .tokens: (draft.audience.count ?? 0) <= Acceptance.shortAudience.names
            }
        self.gate = sendAt <= now && mayBeShort ? gate : nil
    }

    /// Whether the audience is to be read in the transaction that accepts it.
    public var readsAudience: Bool { gate != nil }

    /// Takes what was read of the audience: no more than ``shortAudience``, or `nil` where it cannot be read now. One that
    /// goes on is left to the workers from its beginning.
    public mutating func read(_ page: AudiencePage?) {
        guard let gate, let page, page.next == nil else { return }
        fanOut = .complete(gate.decide(page))
    }

    /// Whether the notification may be over as soon as it is written, and claims of those that it does not reach are to
    /// be given back.
    public var mayGiveBackClaims: Bool {
        if case .complete = fanOut { hasDedup } else { false }
    }
}

extension IdempotencyRecord {
    /// The notification that answers this request, from what its key made before.
    ///
    /// - Throws: `Failure` with ``ErrorCode/idempotencyMismatch`` where that was another request.
    public func answer(_ known: PublicID, madeBy hash: SecretHash) throws(Failure) -> PublicID {
        guard hash == bodyHash else {
            throw Failure(
                .idempotencyMismatch,
                "This Idempotency-Key was used with another request body.",
                hint: "Use a new key for a new request.",
                field: "Idempotency-Key"
            )
        }
        return known
    }
}
