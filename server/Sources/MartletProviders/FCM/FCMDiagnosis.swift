import MartletCore
import MartletTransport
import MartletWire

/// Puts what a probe of FCM saw into words.
struct FCMDiagnosis: ServiceDiagnosis {
    static let words = ServiceWords(
        service: "FCM",
        company: "Google",
        clock: "Google",
        credential: "account",
        accepted: "account for its project"
    )

    let credential: Credential

    /// A message to nobody: `validate_only`, and a token that no device has.
    static let probe = Array(#"{"message":{"token":"martlet-doctor:nobody"},"validate_only":true}"#.utf8)

    func subject(_ part: String) -> String { "fcm/\(credential.environment.rawValue) \(part)" }

    /// The account itself.
    var credentialFinding: Finding {
        let account = credential.summary.teamID ?? "?"
        return finding(.ok, "credential", "\(account) is readable; project \(credential.summary.topic).")
    }

    /// The access token, and what it took to get it.
    func tokenFinding(isCorrected correction: Duration) -> Finding {
        let size = abs(correction.milliseconds) / 1_000
        guard size > 0 else { return finding(.ok, "token", "The token endpoint gives an access token.") }
        let direction = correction > .zero ? "behind" : "ahead of"
        return finding(
            .warning,
            "token",
            "This machine's clock is \(size) s \(direction) Google's: grants are signed with the corrected time.",
            advice: "Set it by NTP."
        )
    }

    /// Why there is no access token.
    func tokenFinding(_ resting: AccessTokenSource.Resting?) -> Finding {
        switch resting?.problem {
        case .misconfigured(let misconfiguration):
            finding(
                .problem,
                "token",
                "The token endpoint refuses the account: \(misconfiguration.reason).",
                advice: misconfiguration.advice
            )
        case .unavailable(let reason):
            finding(
                .problem,
                "token",
                "The token endpoint gives no access token: \(reason).",
                advice: "Check that this machine reaches the service account's token_uri, then try again."
            )
        case nil: finding(.problem, "token", "The service account's key cannot sign.")
        }
    }

    func tlsAdvice(_ error: HTTP2ConnectError) -> String {
        "Check the credential's trust, this machine's clock, and that no proxy opens TLS."
    }

    /// A connection without an answer.
    var silenceFinding: Finding {
        finding(.problem, "connection", "The connection was lost before an answer came.")
    }

    /// Devices of Apple or of browsers that the project has no key for.
    var thirdPartyFinding: Finding {
        finding(
            .problem,
            "other services",
            "Within the last hour FCM refused devices of Apple or of browsers: the project lacks their key.",
            advice: FCMAdvice.thirdParty(credential.summary)
        )
    }

    /// What the answer to the probe shows about authentication and clock.
    func findings(_ answer: FCMAnswer, now: Timestamp) -> [Finding] {
        let context = FCMAnswerContext(
            credential: credential.summary,
            sentAt: Timestamp(milliseconds: 0),
            mayRenewToken: false
        )
        return [authentication(answer, answer.verdict(in: context).outcome), clock(answer.date, now: now)]
    }
}
