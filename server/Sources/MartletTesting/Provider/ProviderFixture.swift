public import MartletCore
import MartletWire
import Synchronization

/// What a provider's tests give to ``ProviderConformance``: a provider, the simulator that it sends to, and what is good
/// and bad there. The simulator has seen no push yet.
public protocol ProviderFixture: Sendable {
    var provider: any Provider { get }

    /// A credential that the simulator takes, at the address of the operator's simulator.
    var credential: OpenedCredential { get throws }
    /// A credential in its proper form that the simulator refuses.
    var refusedCredential: OpenedCredential { get throws }
    /// What an operator hands over that is no credential.
    var unreadableCredential: CredentialDraft { get }

    /// The stored form of a token that the simulator takes; each number has another.
    func token(_ number: Int) -> String
    /// A token as a device may hand it in that is not in its stored form, with that form; `nil` where a provider has one
    /// form only.
    var unstoredToken: (given: String, stored: String)? { get }
    /// What is no token of this provider.
    var impossibleToken: String { get }

    /// What a browser's messages are sealed with; `nil` for a provider that seals none.
    var subscription: PushSubscription? { get }

    /// How many requests the simulator takes at a time, on all connections that the provider may have.
    var capacity: Int { get }

    /// Says what the simulator does with all pushes to this token, or with all pushes where it is `nil`.
    func script(_ token: String?, _ answer: SimulatorAnswer)
    /// The pushes that the simulator got, those without an answer too.
    var received: [ReceivedByProvider] { get }
}

/// What a provider's simulator does with a push.
public enum SimulatorAnswer: Sendable {
    /// It says that the app is gone from the device.
    case gone
    /// It says that the service has trouble of its own.
    case unavailable
    /// It says nothing, ever.
    case silence
}

/// A push that a provider's simulator got.
public struct ReceivedByProvider: Sendable, Hashable {
    /// Where to.
    public var token: String
    /// Whether it said yes.
    public var isTaken: Bool

    /// A push to a token.
    public init(token: String, isTaken: Bool) {
        self.token = token
        self.isTaken = isTaken
    }
}

extension ProviderFixture {
    /// Nothing is sealed.
    public var subscription: PushSubscription? { nil }

    /// A notification that shows a text.
    func submission(body: String = "It rains.", priority: Priority? = nil) -> Submission {
        let app = App(
            row: RowID(1),
            id: notification,
            name: "com.example.app",
            identity: Identity(),
            createdAt: Timestamp(milliseconds: 0)
        )
        return Submission(app: app, audience: .all, content: Content(title: "T", body: body), priority: priority)
    }

    func render(_ submission: Submission) throws -> Message {
        let context = RenderContext(notification: notification, credentials: [try credential.credential.summary])
        return try provider.render(submission, context: context)
    }

    /// The push of a notification to these tokens.
    func push(to tokens: [String], with credential: OpenedCredential? = nil) throws -> Push {
        Push(
            credential: try credential ?? self.credential,
            message: try render(submission()),
            targets: tokens.enumerated().map {
                Push.Target(
                    token: $1,
                    id: PublicID(high: 0x7000, low: 0x8000_0000_0000_0000 + UInt64($0)),
                    subscription: subscription
                )
            }
        )
    }

    /// Sends to these tokens; what is told of each has to be told once.
    func send(to tokens: [String], with credential: OpenedCredential? = nil) async throws -> [Int: Outcome] {
        try await send(push(to: tokens, with: credential))
    }

    /// Sends a push; what is told of each target has to be told once.
    func send(_ push: Push) async throws -> [Int: Outcome] {
        let told = Mutex<[(index: Int, outcome: Outcome)]>([])
        await provider.send(push) { index, outcome in told.withLock { $0.append((index, outcome)) } }
        let all = told.withLock { $0 }
        let outcomes = Dictionary(all.map { ($0.index, $0.outcome) }) { first, _ in first }
        try expect(outcomes.count, is: all.count, "targets among the outcomes")
        try expect(outcomes.keys.allSatisfy(push.targets.indices.contains), "an outcome is of no target")
        return outcomes
    }

    private var notification: PublicID { PublicID(high: 0x0189_0A5D_AC96_774B, low: 0xBCCE_B302_099A_8057) }
}
