import Crypto
import Logging
import MartletCore
import MartletSimulator
import MartletTesting
import MartletWire
import NIOCore
import NIOPosix
import Synchronization

@testable import MartletProviders

/// A simulator and a provider that sends to it over TLS and HTTP/2, with one clock for both.
struct LiveSetting: Sendable {
    let simulator: APNsSimulator
    let provider: APNsProvider
    let clock: ManualClock
    let pem: String

    /// Runs `body` with both, and takes them down.
    static func with(
        settings: APNsSettings = APNsSettings(),
        _ change: (inout APNsSimulatorConfiguration) -> Void = { _ in },
        _ body: (LiveSetting) async throws -> Void
    ) async throws {
        let clock = ManualClock(SystemClock().now())
        let pem = P256.Signing.PrivateKey().pemRepresentation
        var configuration = APNsSimulatorConfiguration(port: 0, controlPort: 0)
        configuration.keys = [try SimulatorKey(keyID: "ABCD123456", teamID: "TEAM123456", pem: pem)]
        configuration.apps = [try SimulatorApp(topic: "com.example.app", teamID: "TEAM123456")]
        change(&configuration)
        let simulator = try await APNsSimulator.start(configuration, clock: SimulatorClock { clock.now().rawValue })
        let provider = APNsProvider(
            group: MultiThreadedEventLoopGroup.singleton,
            clock: clock,
            settings: settings,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        let result: Result<Void, any Error>
        do {
            result = .success(
                try await body(LiveSetting(simulator: simulator, provider: provider, clock: clock, pem: pem))
            )
        } catch {
            result = .failure(error)
        }
        await provider.shutdown()
        await simulator.shutdown()
        try result.get()
    }

    /// The simulator's key as a stored credential.
    func credential(
        app: Int64 = 1,
        pem: String? = nil,
        environment: MartletCore.Environment = .production
    ) throws -> OpenedCredential {
        let secret = CredentialDraft.Secret.APNs.signingKey(
            pem: pem ?? self.pem,
            keyID: "ABCD123456",
            teamID: "TEAM123456"
        )
        return try Stored.credential(
            secret,
            checkedBy: provider,
            url: "https://localhost:\(simulator.port)",
            trust: simulator.authorityPEM,
            app: app,
            environment: environment
        )
    }

    /// Sends a notification that shows a title to these tokens.
    func send(
        to tokens: [String],
        with credential: OpenedCredential? = nil,
        _ submission: Submission = Rendering.submission(Content(title: "T"))
    ) async throws -> [Int: Outcome] {
        let message = try Rendering.message(submission)
        let push = Push(
            credential: try credential ?? self.credential(),
            message: message,
            targets: Stored.targets(tokens)
        )
        return await Outcomes.of(push, by: provider)
    }
}

/// Makes what the pipeline would read from the store.
enum Stored {
    static func credential(
        _ secret: CredentialDraft.Secret.APNs,
        checkedBy provider: APNsProvider,
        url: String,
        isURLOfOperator: Bool = true,
        trust: String?,
        app: Int64 = 1,
        environment: MartletCore.Environment = .production
    ) throws -> OpenedCredential {
        let draft = CredentialDraft(.apns(secret, bundleID: "com.example.app"), url: url, trust: trust)
        let checked = try provider.check(draft)
        let credential = Credential(
            row: RowID(app),
            app: RowID(app),
            platform: .apns,
            environment: environment,
            summary: checked.summary,
            sealed: [],
            url: url,
            isURLOfOperator: isURLOfOperator,
            trust: trust,
            createdAt: Timestamp(milliseconds: 0)
        )
        return OpenedCredential(credential: credential, secret: checked.secret)
    }

    /// A token of the usual length that ends with a number.
    static func token(_ number: Int) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 63 - digits.count) + digits + "f"
    }

    static func targets(_ tokens: [String]) -> [Push.Target] {
        tokens.enumerated().map {
            Push.Target(token: $1, id: PublicID(high: 0x7000, low: 0x8000_0000_0000_0000 + UInt64($0)))
        }
    }
}

/// Collects what a provider reports.
final class Outcomes: Sendable {
    private let state = Mutex<(outcomes: [Int: Outcome], repeated: Int)>(([:], 0))

    func add(_ index: Int, _ outcome: Outcome) {
        state.withLock { state in
            if state.outcomes.updateValue(outcome, forKey: index) != nil { state.repeated += 1 }
        }
    }

    var all: [Int: Outcome] { state.withLock { $0.outcomes } }
    /// Targets that were told of more than once.
    var repeated: Int { state.withLock { $0.repeated } }

    static func of(_ push: Push, by provider: APNsProvider) async -> [Int: Outcome] {
        let outcomes = Outcomes()
        await provider.send(push) { outcomes.add($0, $1) }
        precondition(outcomes.repeated == 0, "a target has one outcome")
        return outcomes.all
    }
}
