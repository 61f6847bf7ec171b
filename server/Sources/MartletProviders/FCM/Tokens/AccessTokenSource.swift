import Crypto
import CryptoExtras
import Foundation
import Logging
import MartletCore
import MartletTransport
import NIOCore
import Synchronization

/// The access tokens of one service account, shared by all who send with it and, over the token store, with other
/// processes and with this one after a restart.
final class AccessTokenSource: Sendable {
    private struct State {
        var tokens = AccessTokenState()
        var renewal: Task<AccessToken, any Error>?
    }

    private let account: ServiceAccount
    private let connection: HTTP2ClientConfiguration
    private let context: ProviderContext
    private let state = Mutex(State())

    /// A source that has no token yet.
    init(account: ServiceAccount, connection: HTTP2ClientConfiguration, _ context: ProviderContext) {
        (self.account, self.connection, self.context) = (account, connection, context)
    }

    /// There is no token, and none is asked for before this moment.
    struct Resting: Error, Hashable {
        var until: Timestamp
        var problem: AccessTokenProblem
    }

    /// By how much our clock is corrected in what is signed.
    var correction: Duration { state.withLock { $0.tokens.correction } }

    /// The token to use now. When there is none, all who ask wait for the same.
    ///
    /// - Throws: `Resting` where there is none.
    func token() async throws -> AccessToken {
        let now = context.clock.now()
        let found = state.withLock { state -> Found in
            switch state.tokens.decision(at: now) {
            case .use(let token): return .token(token)
            case .rest(let end, let problem): return .resting(Resting(until: end, problem: problem))
            case .useAndRenew(let token):
                _ = renewal(&state)
                return .token(token)
            case .renew: return .renewal(renewal(&state))
            }
        }
        switch found {
        case .token(let token): return token
        case .resting(let resting): throw resting
        case .renewal(let task): return try await task.value
        }
    }

    /// The token to use now, where it is not time for another one.
    func current() -> AccessToken? {
        let now = context.clock.now()
        return state.withLock { if case .use(let token) = $0.tokens.decision(at: now) { token } else { nil } }
    }

    private enum Found {
        case token(AccessToken)
        case resting(Resting)
        case renewal(Task<AccessToken, any Error>)
    }

    /// FCM refuses this one; says whether another one may help.
    func refused(_ token: AccessToken) -> Bool {
        let now = context.clock.now()
        return state.withLock { $0.tokens.refused(token, at: now) }
    }

    private func renewal(_ state: inout State) -> Task<AccessToken, any Error> {
        if let running = state.renewal { return running }
        // Not a child of whoever asks first: the others must not lose it when that one is cancelled. Connecting, TLS and the
        // answer have their deadlines.
        let task = Task { try await self.renew() }
        state.renewal = task
        return task
    }

    /// Takes the token that others use, or asks for one and tells them. A store that fails must not stop sending.
    private func renew() async throws -> AccessToken {
        defer { state.withLock { $0.renewal = nil } }
        let seen = try? await context.tokenStore?.token(name)
        if let token = seen.flatMap(AccessToken.init(shared:)) {
            let now = context.clock.now()
            let isAdopted = state.withLock { state in
                guard state.tokens.mayAdopt(token, at: now) else { return false }
                state.tokens.obtained(token)
                return true
            }
            if isAdopted { return token }
        }
        let token = try await ask()
        let standing = try? await context.tokenStore?.keep(token.shared, as: name, insteadOf: seen)
        let now = context.clock.now()
        let shared = standing.flatMap(AccessToken.init(shared:))
        return state.withLock { state in
            let used = shared.flatMap { state.tokens.mayAdopt($0, at: now) ? $0 : nil } ?? token
            state.tokens.obtained(used)
            return used
        }
    }

    /// Asks the endpoint, and once more where its date says that our clock is wrong.
    private func ask() async throws -> AccessToken {
        var isCorrected = false
        while true {
            let correction = state.withLock { $0.tokens.correction }
            let signedAt = context.clock.now() + correction
            let (verdict, _) = await ask(signedAt: signedAt, isCorrected: isCorrected)
            let now = context.clock.now()
            switch verdict {
            case .token(let token): return token
            case .correctClock(let theirs):
                isCorrected = true
                state.withLock { $0.tokens.correct(ours: now, theirs: theirs) }
                context.logger.warning("this machine's clock differs from Google's: set it by NTP")
            case .problem(let problem, let after):
                let resting = state.withLock { state in
                    state.tokens.failed(problem, after: after, at: now)
                    if case .rest(let end, let problem) = state.tokens.decision(at: now) {
                        return Resting(until: end, problem: problem)
                    }
                    return Resting(until: now, problem: problem)
                }
                context.logger.warning("no access token", metadata: ["reason": "\(problem.reason)"])
                // One that is still good is used on.
                throw resting
            }
        }
    }

    /// One request; also for whoever looks what the endpoint says.
    private func ask(signedAt: Timestamp, isCorrected: Bool) async -> (TokenAnswer.Verdict, date: Timestamp?) {
        guard let body = try? TokenRequest.form(for: account, at: signedAt) else {
            let advice = "The service account's key cannot sign. Store the account again."
            return (.problem(.misconfigured(.init(reason: "UnusableCredential", advice: advice)), after: nil), nil)
        }
        let sender: HTTP2ClientConnection
        do throws(HTTP2ConnectError) {
            sender = try await HTTP2ClientConnection.connect(connection, group: context.group, logger: context.logger)
        } catch {
            return (.problem(.unavailable(reason: "TokenEndpoint: \(error.phase.rawValue)"), after: nil), nil)
        }
        let template = HTTP2RequestTemplate(
            authority: account.endpoint.address.authority,
            headers: [HTTP2Header("content-type", "application/x-www-form-urlencoded")],
            body: body
        )
        let answer = await sender.send(template, path: account.endpoint.path)
        await sender.close(within: .seconds(1))
        guard case .response(let response) = answer else {
            return (.problem(.unavailable(reason: "TokenEndpoint: no answer"), after: nil), nil)
        }
        let read = TokenAnswer(response, now: context.clock.now())
        let verdict = read.verdict(
            for: account.clientEmail,
            signedAt: signedAt,
            isCorrected: isCorrected,
            now: context.clock.now()
        )
        return (verdict, read.date)
    }

    /// The name under which all processes find the account's token. The key is part of it: another key of the same account
    /// must not get what was refused.
    private var name: String {
        let fingerprint = SHA256.hash(data: Data(account.key.publicKey.derRepresentation)).prefix(8)
        return "fcm/\(account.projectID)/\(account.keyID)/\(Secret.base64URL(Array(fingerprint)))"
    }
}

extension AccessTokenProblem {
    /// Why, in a word or two.
    var reason: String {
        switch self {
        case .unavailable(let reason): reason
        case .misconfigured(let misconfiguration): misconfiguration.reason
        }
    }

    /// What it means for the deliveries that wait for a token.
    func outcome(after delay: Duration) -> Outcome {
        switch self {
        case .unavailable(let reason): .retry(.init(reason: reason, kind: .provider, after: delay))
        case .misconfigured(let misconfiguration): .misconfigured(misconfiguration)
        }
    }
}
