import MartletWire

/// The gate's first stage: decides for a person whether something is sent to them, and when, and whether it is left in
/// their inbox. A pure value.
///
/// The dedup claim is made for whoever is sent to, held or gets an item, in the transaction that writes the part. Whoever
/// gets nothing is not claimed, because the claim would only be given back when the notification is over.
public struct PersonGate: Sendable, Hashable {
    /// What the person's choices are asked for; `nil` asks only that over all.
    public var category: Category?
    /// Whether the notification leaves an inbox item.
    public var leavesItem: Bool
    /// What holds people; `nil` where nobody is held.
    public var hold: HoldRule?
    /// When no delivery is tried any more: no hold extends it.
    public var expiresAt: Timestamp?
    /// How often the people of the part were held before.
    public var times: Int
    /// Whether the audience is of devices: then these are held, and not all devices of their users.
    public var isOfDevices: Bool

    package init(
        category: Category? = nil,
        leavesItem: Bool = false,
        hold: HoldRule? = nil,
        expiresAt: Timestamp? = nil,
        times: Int = 0,
        isOfDevices: Bool = false
    ) {
        self.category = category
        self.leavesItem = leavesItem
        self.hold = hold
        self.expiresAt = expiresAt
        self.times = times
        self.isOfDevices = isOfDevices
    }

    /// The gate of what a worker reads: an audience, or people who were held and are due. These have their item already.
    public init(_ fanOut: FanOut) {
        self.init(
            category: fanOut.notification.category,
            leavesItem: fanOut.notification.inbox != nil && fanOut.hold == nil,
            expiresAt: fanOut.hold?.expiresAt ?? fanOut.notification.expiresAt,
            times: fanOut.hold?.times ?? 0,
            isOfDevices: fanOut.notification.audience.isOfDevices
        )
    }

    /// The gate of what is read as it is accepted.
    package init(_ draft: NotificationDraft) {
        self.init(
            category: draft.category,
            leavesItem: draft.inbox != nil,
            expiresAt: draft.expiresAt,
            isOfDevices: draft.audience.isOfDevices
        )
    }

    /// What is done for a person.
    package struct Decision: Hashable {
        /// What becomes of the push.
        package var push: Push
        /// Whether they get an inbox item.
        package var hasItem: Bool

        /// What becomes of a push to a person.
        package enum Push: Hashable {
            /// Their devices are decided on.
            case deliver
            /// They are decided on again when they are due.
            case hold(HoldRule)
            /// Nothing is sent to any of their devices; recorded once, for the person.
            case suppress(Suppression.Reason)
        }
    }

    /// Decides on one person. Somebody without a device may have one when they are due.
    ///
    /// - Parameter choices: what those chose who chose anything.
    package func decide(_ person: Person, _ choices: [RowID<User>: PersonChoice] = [:]) -> Decision {
        guard case .user(let user) = person.subject else { return Decision(push: push(to: person), hasItem: false) }
        let choice = choices[user] ?? PersonChoice()
        let hasItem = leavesItem && PreferenceDecision(.inbox, category: category, choice: choice).isOn
        let wantsPush = PreferenceDecision(.push, category: category, choice: choice).isOn
        return Decision(push: wantsPush ? push(to: person) : .suppress(.preferenceOff), hasItem: hasItem)
    }

    private func push(to person: Person) -> Decision.Push {
        if let hold {
            let isTooLate = expiresAt.map { hold.until >= $0 } ?? false
            return isTooLate || times >= Hold.limit ? .suppress(hold.reason) : .hold(hold)
        }
        return person.candidates.isEmpty ? .suppress(.noEndpoint) : .deliver
    }
}

/// A user with those of their endpoints that stand together in a part of an audience, or an endpoint of nobody.
package struct Person: Hashable {
    /// Who it is, as the dedup claim has it.
    package var subject: Subject
    /// Where the endpoints stand among the part's candidates.
    package var candidates: Range<Int> = 0..<0
}

extension Person {
    /// The person whose first candidate stands at an index.
    package init(at start: Int, of candidates: [Candidate]) {
        let first = candidates[start].member
        var end = start + 1
        if let user = first.user {
            while end < candidates.count, candidates[end].member.user == user { end += 1 }
        }
        self.init(subject: first.subject, candidates: start..<end)
    }
}
