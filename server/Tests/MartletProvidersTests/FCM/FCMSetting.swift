import Foundation
import Logging
import MartletCore
import MartletSimulator
import MartletTesting
import MartletWire
import NIOCore
import NIOPosix

@testable import MartletProviders

/// A simulated FCM and a provider that sends to it, with one clock for both.
struct FCMSetting: Sendable {
    let simulator: FCMSimulator
    var provider: FCMProvider
    let clock: ManualClock
    let account: String

    /// Runs `body` with both, and takes them down.
    static func with(
        settings: FCMSettings = FCMSettings(),
        _ change: (inout FCMSimulatorConfiguration) -> Void = { _ in },
        _ body: (FCMSetting) async throws -> Void
    ) async throws {
        let clock = ManualClock(SystemClock().now())
        var configuration = FCMSimulatorConfiguration(port: 0, controlPort: nil)
        configuration.projects = ["martlet-test"]
        change(&configuration)
        let simulator = try await FCMSimulator.start(configuration, clock: SimulatorClock { clock.now().rawValue })
        let provider = FCMProvider(
            group: MultiThreadedEventLoopGroup.singleton,
            clock: clock,
            settings: settings,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        let setting = FCMSetting(
            simulator: simulator,
            provider: provider,
            clock: clock,
            account: simulator.makeAccount(project: "martlet-test").json
        )
        let result: Result<Void, any Error>
        do {
            result = .success(try await body(setting))
        } catch {
            result = .failure(error)
        }
        await provider.shutdown()
        await simulator.shutdown()
        try result.get()
    }

    /// The simulator's account as a stored credential.
    func credential(app: Int64 = 1, _ account: String? = nil) throws -> OpenedCredential {
        var draft = CredentialDraft(.fcm(serviceAccount: account ?? self.account), url: simulator.url)
        draft.isURLOfOperator = true
        draft.trust = simulator.authorityPEM
        let checked = try provider.check(draft)
        let credential = Credential(
            row: RowID(app),
            app: RowID(app),
            platform: .fcm,
            environment: .production,
            summary: checked.summary,
            sealed: [],
            url: draft.url,
            isURLOfOperator: true,
            trust: draft.trust,
            createdAt: Timestamp(milliseconds: 0)
        )
        return OpenedCredential(credential: credential, secret: checked.secret)
    }

    /// A token of the usual length that ends with a number.
    static func token(_ number: Int) -> String {
        let digits = String(number)
        return "cVcCxZ1YTbmJ3bGVyJ3eXc:APA91b" + String(repeating: "x", count: 134 - digits.count) + digits
    }

    /// Sends a notification that shows a title to these tokens.
    func send(to tokens: [String], with credential: OpenedCredential? = nil) async throws -> [Int: Outcome] {
        let push = Push(
            credential: try credential ?? self.credential(),
            message: try FCMRendering.message(Rendering.submission(Content(title: "T"))),
            targets: Stored.targets(tokens)
        )
        let outcomes = Outcomes()
        await provider.send(push) { outcomes.add($0, $1) }
        precondition(outcomes.repeated == 0, "a target has one outcome")
        return outcomes.all
    }

    /// Requests that the token endpoint got.
    var grants: [ReceivedRequest] { simulator.received(limit: 10_000).filter { $0.path == "/token" } }
}
