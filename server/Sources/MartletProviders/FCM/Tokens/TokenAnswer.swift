import Foundation
import MartletCore
import MartletWire

/// What the token endpoint answered (RFC 6749, sections 5.1 and 5.2).
struct TokenAnswer: Sendable, Hashable {
    var status: Int
    /// The token, where there is one, and how many seconds it lasts.
    var token: String?
    var seconds: Int64?
    /// The body's `error`.
    var error: String?
    /// The header `date`: the endpoint's clock.
    var date: Timestamp?
    /// The header `retry-after`.
    var retryAfter: Duration?

    /// What follows from it.
    enum Verdict: Sendable, Hashable {
        case token(AccessToken)
        /// The same again with the clock corrected by the answer's date.
        case correctClock(to: Timestamp)
        case problem(AccessTokenProblem, after: Duration?)
    }

    /// Beyond this difference it may be the clock that the grant is refused for. Ours.
    static let tolerance: Duration = .seconds(30)

    /// The table of answers as a pure function.
    ///
    /// - Parameters:
    ///   - account: whose name is told to the operator.
    ///   - signedAt: the moment that was signed.
    ///   - isCorrected: whether the clock was corrected just before.
    func verdict(for account: String, signedAt: Timestamp, isCorrected: Bool, now: Timestamp) -> Verdict {
        if status == 200, let token, !token.isEmpty {
            let life = min(max(seconds ?? TokenRequest.lifetime, 30), 86_400)
            return .token(AccessToken(text: token, obtainedAt: now, expiresAt: now + .seconds(life)))
        }
        let reason = error ?? "HTTP \(status)"
        switch (status, error) {
        case (408, _), (429, _), (500..., _), (_, "temporarily_unavailable"), (200..<300, _):
            return .problem(.unavailable(reason: reason), after: retryAfter)
        case (400, "invalid_grant") where !isCorrected && isClockOff(signedAt):
            return .correctClock(to: date ?? signedAt)
        case (400..., .some): return .problem(misconfigured(reason, account), after: nil)
        // A proxy's word or another server's.
        default: return .problem(.unavailable(reason: reason), after: retryAfter)
        }
    }

    private func isClockOff(_ signedAt: Timestamp) -> Bool {
        guard let date else { return false }
        let difference = date - signedAt
        return difference > Self.tolerance || difference < .zero - Self.tolerance
    }

    private func misconfigured(_ reason: String, _ account: String) -> AccessTokenProblem {
        let advice =
            switch error {
            case "invalid_grant":
                """
                Google does not take the grant of \(account): its key was deleted, the account is disabled, or this \
                machine's clock is wrong. Make a new key in the Firebase console and store it.
                """
            case "invalid_scope", "unauthorized_client", "access_denied":
                "Google does not let \(account) send messages. Enable the Firebase Cloud Messaging API for its project."
            default: "Google refuses \(account): \(reason). Check the service account in the Google Cloud console."
            }
        return .misconfigured(.init(reason: reason, advice: advice))
    }
}

extension TokenAnswer: DatedAnswer {
    init(status: Int, body: [UInt8], date: String?, retryAfter: String?, now: Timestamp) {
        let date = date.flatMap(HTTPDate.parse)
        let members = (try? JSONValue(json: Data(body)))?.objectValue ?? [:]
        let text = members["access_token"]?.stringValue
        let isToken = text.map { $0.utf8.count <= 4_096 && $0.utf8.allSatisfy { (0x21...0x7E).contains($0) } } ?? false
        self.init(
            status: status,
            token: isToken ? text : nil,
            seconds: members["expires_in"]?.integerValue,
            error: members["error"]?.stringValue.map(FCMAnswer.bounded),
            date: date,
            retryAfter: RetryAfter.delay(retryAfter, now: date ?? now)
        )
    }
}
