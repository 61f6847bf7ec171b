public import MartletCore
public import MartletWire
import Synchronization

/// A provider without a network: it answers each token as its script says, `accepted` where there is none, and remembers
/// what it was given.
public final class ScriptedProvider: Provider {
    /// What becomes of one attempt.
    public enum Step: Sendable, Hashable {
        /// It is answered at once.
        case answer(Outcome)
        /// It is in flight until ``release()``, even when the sender is cancelled; then it is answered.
        case hold(Outcome)
        /// It is never sent: it has no answer, and the send returns without it once it is cancelled.
        case stall
    }

    /// One attempt as it arrived.
    public struct Attempt: Sendable, Hashable {
        /// The device's token.
        public var token: String
        /// The delivery's id.
        public var id: PublicID
        /// The message.
        public var message: Message
        /// The target's badge.
        public var badge: Int32?
        /// The credential.
        public var credential: RowID<Credential>
    }

    private struct State {
        var scripts: [String: [Step]] = [:]
        var fallback: Step = .answer(.accepted)
        var attempts: [Attempt] = []
        var renderings = 0
        var isReleasing = false
        /// The attempts that are held, by their places in ``attempts``.
        var holds: Set<Int> = []
        /// Those of them that wait already.
        var held: [Int: @Sendable () -> Void] = [:]
    }

    /// The platform that it stands for.
    public let platform: Platform
    /// Two, as APNs has them.
    public let environments: [Environment] = [.production, .sandbox]
    private let tokens: @Sendable (String, String) throws(Failure) -> String
    private let state = Mutex(State())
    private let arrived = CountWatch()

    /// A provider that accepts everything.
    ///
    /// - Parameter tokens: a token's stored form; its second parameter is the field.
    public init(
        platform: Platform = .apns,
        tokens: @escaping @Sendable (String, String) throws(Failure) -> String = { (token, field) throws(Failure) in
            try DeviceToken.check(token, field: field)
        }
    ) {
        self.platform = platform
        self.tokens = tokens
    }

    /// The form that ``init(platform:tokens:)`` was given.
    public func normalize(_ token: String, field: String) throws(Failure) -> String { try tokens(token, field) }

    /// Says what becomes of a token's attempts, one step for each; the last one stands for all that follow.
    public func script(_ token: String, _ steps: Step...) {
        state.withLock { $0.scripts[token] = steps }
    }

    /// Says what becomes of the attempts of all tokens without a script.
    public func scriptOthers(_ step: Step) { state.withLock { $0.fallback = step } }

    /// Answers all attempts that are held now.
    public func release() {
        let held = state.withLock { state in
            defer { (state.holds, state.held) = ([], [:]) }
            return state.held.values
        }
        for answer in held { answer() }
    }

    /// Answers what is held, now and from here on: nobody is there any more who would release it.
    public func releaseForGood() {
        state.withLock { $0.isReleasing = true }
        release()
    }

    /// All attempts, in the order in which they arrived.
    public var attempts: [Attempt] { state.withLock(\.attempts) }

    /// How many messages were rendered.
    public var renderings: Int { state.withLock(\.renderings) }

    /// How many attempts were made of each delivery.
    public var attemptsByDelivery: [PublicID: Int] {
        attempts.reduce(into: [:]) { $0[$1.id, default: 0] += 1 }
    }

    /// How many attempts are held; one is from when it arrived.
    public var heldCount: Int { state.withLock(\.holds.count) }

    /// Returns when at least so many attempts arrived, or when the task is cancelled.
    public func untilAttempts(_ count: Int) async { await arrived.until(count) }

    /// The title's bytes, behind them a place for the user's badge where there are any, and among the headers the collapse id
    /// and the push type that was asked for. As at APNs, nothing but a badge must not go to somebody who has none.
    public func render(_ submission: Submission, context: RenderContext) throws(Failure) -> Message {
        state.withLock { $0.renderings += 1 }
        var headers = ["id": context.notification.description]
        headers["collapse-id"] = submission.collapseID
        if case .object(let own)? = submission.content.data["martlet"], case .array(let ids)? = own["remove"] {
            headers["remove"] = ids.compactMap(\.stringValue).joined(separator: ",")
        }
        var payload = Payload(Array((submission.content.title ?? "").utf8))
        headers["push-type"] = submission.pushType
        if !submission.badges.isEmpty || submission.inboxBadge != nil {
            guard !payload.bytes.isEmpty || submission.namesAllBadges else {
                throw .invalid("badge.by_user", "Users who are not named would get an empty notification.")
            }
            payload.holes = [.init(.badge, at: payload.bytes.count)]
        }
        return Message(platform: platform, headers: headers, payload: payload)
    }

    /// None: it renders what the content says.
    public func payload(of override: JSONValue) -> [String: JSONValue]? { nil }

    /// Takes every draft; the secret is four bytes that mean nothing.
    public func check(_ draft: CredentialDraft) throws(Failure) -> CheckedCredential {
        let topic =
            switch draft.secret {
            case .apns(_, let bundleID): bundleID
            case .fcm, .webpush: "project"
            }
        return CheckedCredential(
            summary: CredentialSummary(kind: .token, topic: topic, keyID: nil, teamID: nil, expiresAt: nil),
            secret: [1, 2, 3, 4]
        )
    }

    /// Finds nothing to say.
    public func diagnose(_ credential: OpenedCredential) async -> [Finding] { [] }

    /// Does what the script says about each target, all at the same time.
    public func send(_ push: Push, outcome: @escaping @Sendable (Int, Outcome) -> Void) async {
        let cancellation = Mutex<(@Sendable () -> Void)?>(nil)
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let cancel = start(push, outcome: outcome) { continuation.resume() }
                cancellation.withLock { $0 = cancel }
                if Task.isCancelled { cancel() }
            }
        } onCancel: {
            cancellation.withLock { $0 }?()
        }
    }

    /// The same without a task.
    public func begin(
        _ push: Push,
        outcome: @escaping @Sendable (Int, Outcome) -> Void,
        ended: @escaping @Sendable () -> Void
    ) -> (@Sendable () -> Void)? {
        start(push, outcome: outcome, ended: ended)
    }

    private func start(
        _ push: Push,
        outcome: @escaping @Sendable (Int, Outcome) -> Void,
        ended: @escaping @Sendable () -> Void
    ) -> @Sendable () -> Void {
        let (first, steps) = take(push)
        if steps.isEmpty { ended() }
        let open = Mutex(steps.count)
        let close: @Sendable (Int) -> Void = { count in
            let isOver = open.withLock { open in
                open -= count
                return count > 0 && open == 0
            }
            if isOver { ended() }
        }
        for (index, step) in steps.enumerated() {
            switch step {
            case .answer(let answer):
                outcome(index, answer)
                close(1)
            case .hold(let answer):
                whenReleased(first + index) {
                    outcome(index, answer)
                    close(1)
                }
            case .stall: break
            }
        }
        let stalled = Mutex(steps.count { $0 == .stall })
        return {
            close(
                stalled.withLock { stalled in
                    defer { stalled = 0 }
                    return stalled
                }
            )
        }
    }

    /// Records the attempts, from the place that it gives back on, and takes the next step of each token's script.
    private func take(_ push: Push) -> (first: Int, steps: [Step]) {
        state.withLock { state in
            let first = state.attempts.count
            let steps = push.targets.map { target in
                state.attempts.append(
                    Attempt(
                        token: target.token,
                        id: target.id,
                        message: push.message,
                        badge: target.badge,
                        credential: push.credential.credential.row
                    )
                )
                guard var script = state.scripts[target.token], let step = script.first else { return state.fallback }
                if script.count > 1 { script.removeFirst() }
                state.scripts[target.token] = script
                return step
            }
            // Here, so that whoever hears of the attempts can release them.
            for (index, step) in steps.enumerated() {
                if case .hold = step, !state.isReleasing { state.holds.insert(first + index) }
            }
            arrived.set(state.attempts.count)
            return (first, steps)
        }
    }

    private func whenReleased(_ attempt: Int, _ answer: @escaping @Sendable () -> Void) {
        let isHeld = state.withLock { state in
            guard state.holds.contains(attempt) else { return false }
            state.held[attempt] = answer
            return true
        }
        if !isHeld { answer() }
    }
}
