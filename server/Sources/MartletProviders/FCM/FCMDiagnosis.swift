import Foundation
import MartletCore
import MartletTransport

/// Puts what a probe saw into words for the operator; pure.
struct FCMDiagnosis: Sendable {
    let credential: Credential

    /// A message to nobody: `validate_only`, and a token that no device has.
    static let probe = Array(#"{"message":{"token":"martlet-doctor:nobody"},"validate_only":true}"#.utf8)

    /// Google takes a grant whose `iat` is this far from its own clock; beyond it the clock is corrected by the answer.
    static let worstSkew: Duration = .seconds(600)

    /// What a finding is about, such as `fcm/production token`.
    func subject(_ part: String) -> String { "fcm/\(credential.environment.rawValue) \(part)" }

    /// The account itself.
    var credentialFinding: Finding {
        let account = credential.summary.teamID ?? "?"
        return Finding(.ok, subject("credential"), "\(account) is readable; project \(credential.summary.topic).")
    }

    /// The access token, and what it took to get it.
    func tokenFinding(isCorrected correction: Duration) -> Finding {
        let size = abs(correction.milliseconds) / 1_000
        guard size > 0 else { return Finding(.ok, subject("token"), "The token endpoint gives an access token.") }
        let direction = correction > .zero ? "behind" : "ahead of"
        return Finding(
            .warning,
            subject("token"),
            "This machine's clock is \(size) s \(direction) Google's: grants are signed with the corrected time.",
            advice: "Set it by NTP."
        )
    }

    /// Why there is no access token.
    func tokenFinding(_ resting: AccessTokenSource.Resting?) -> Finding {
        switch resting?.trouble {
        case .misconfigured(let misconfiguration):
            Finding(
                .problem,
                subject("token"),
                "The token endpoint refuses the account: \(misconfiguration.reason).",
                advice: misconfiguration.advice
            )
        case .unavailable(let reason):
            Finding(
                .problem,
                subject("token"),
                "The token endpoint gives no access token: \(reason).",
                advice: "Check that this machine reaches the service account's token_uri, then try again."
            )
        case nil: Finding(.problem, subject("token"), "The service account's key cannot sign.")
        }
    }

    /// Why there is no connection.
    func connectionFinding(_ error: HTTP2ConnectError) -> Finding {
        let advice =
            switch error.phase {
            case .resolve: "Check the name server, or the credential's url."
            case .forbidden:
                "Leave the url out to send to Google, or have the operator store the credential or list the host in privateHosts."
            case .connect:
                "Allow connections to \(error.host):\(error.port) in the firewall, or check the credential's url."
            case .tls: "Check the credential's trust, this machine's clock, and that no proxy opens TLS."
            case .alpn: "Something on the way does not support HTTP/2; connect directly."
            case .settings: "The other side accepted the connection but did not answer; try again later."
            }
        return Finding(
            .problem,
            subject("connection"),
            "No connection: \(error.host):\(error.port): \(error.phase.rawValue): \(error.reason).",
            advice: advice
        )
    }

    /// A connection without an answer.
    var silenceFinding: Finding {
        Finding(.problem, subject("connection"), "The connection was lost before an answer came.")
    }

    /// Devices of Apple or of browsers that the project has no key for.
    var thirdPartyFinding: Finding {
        Finding(
            .problem,
            subject("other services"),
            "Within the last hour FCM refused devices of Apple or of browsers: the project lacks their key.",
            advice: FCMAdvice.thirdParty(credential.summary)
        )
    }

    /// What the answer to the probe shows about authentication and clock.
    func findings(_ answer: FCMAnswer, authority: String, now: Timestamp) -> [Finding] {
        let reached = Finding(.ok, subject("connection"), "\(authority) answers over HTTP/2.")
        return [reached, authentication(answer), clock(answer.date, now: now)]
    }

    private func authentication(_ answer: FCMAnswer) -> Finding {
        let context = FCMAnswerContext(
            credential: credential.summary,
            sentAt: Timestamp(milliseconds: 0),
            mayRenewToken: false
        )
        let reason = answer.recordedReason
        switch answer.verdict(in: context).outcome {
        case .accepted, .rejected:
            return Finding(.ok, subject("authentication"), "FCM accepts the account for its project.")
        case .misconfigured(let misconfiguration):
            return Finding(
                .problem,
                subject("authentication"),
                "FCM refuses the account: \(reason).",
                advice: misconfiguration.advice
            )
        case .retry where answer.isForeign:
            return Finding(
                .problem,
                subject("authentication"),
                "The address answers \(reason), which is not FCM's answer: it is a proxy or another server.",
                advice: "Check the credential's url, and any proxy in between."
            )
        case .retry, .reroute:
            return Finding(
                .warning,
                subject("authentication"),
                "FCM did not check the account: \(reason).",
                advice: "Try again in some minutes."
            )
        }
    }

    private func clock(_ date: Timestamp?, now: Timestamp) -> Finding {
        guard let date else {
            return Finding(.ok, subject("clock"), "The answer has no date, so the clocks cannot be compared.")
        }
        let skew = now - date
        let size = skew < .zero ? .zero - skew : skew
        guard size > ClockAdvice.tolerance else {
            return Finding(
                .ok,
                subject("clock"),
                "The clocks agree within \(ClockAdvice.tolerance.components.seconds) s."
            )
        }
        let direction = skew > .zero ? "ahead of" : "behind"
        return Finding(
            size > Self.worstSkew ? .problem : .warning,
            subject("clock"),
            "This machine's clock is \(size.components.seconds) s \(direction) Google's.",
            advice: "Set it by NTP."
        )
    }
}
