import Foundation
import MartletCore
import MartletTransport
import MartletWire

/// Puts what a probe of APNs saw into words.
struct APNsDiagnosis: ServiceDiagnosis {
    static let words = ServiceWords(
        service: "APNs",
        company: "Apple",
        clock: "APNs",
        credential: "credential",
        accepted: "credential"
    )

    let credential: Credential

    /// Two months: long enough to plan the renewal of a certificate.
    static let certificateWarning: Duration = .seconds(60 * 86_400)

    func subject(_ part: String) -> String { "apns/\(credential.environment.rawValue) \(part)" }

    /// The credential itself: its kind, its end, its environment.
    func credentialFinding(leaf: PushCertificate?, now: Timestamp) -> Finding {
        let summary = credential.summary
        guard summary.kind == .certificate else {
            let (key, team) = (summary.keyID ?? "?", summary.teamID ?? "?")
            let isWhole = [key, team].allSatisfy { $0.count == APNsCredentialCheck.idLength }
            return finding(
                isWhole ? .ok : .warning,
                "credential",
                "The key \(key) of team \(team) is readable; topic \(summary.topic).",
                advice: isWhole
                    ? nil : "Apple's key ids and team ids have 10 characters: compare them with the developer account."
            )
        }
        if let leaf, !leaf.environments.isEmpty, !leaf.environments.contains(credential.environment) {
            return finding(
                .problem,
                "credential",
                "The certificate is not for \(credential.environment.rawValue).",
                advice: "Store it for the other environment, or store a certificate for both."
            )
        }
        guard let end = summary.expiresAt ?? leaf?.validUntil else {
            return finding(.ok, "credential", "The certificate is readable; topic \(summary.topic).")
        }
        let day = APNsCredentialCheck.day(end)
        let advice = "Make a new push certificate in the developer account and store it."
        if end <= now {
            return finding(.problem, "credential", "The certificate expired on \(day).", advice: advice)
        }
        let level: Finding.Level = end - now < Self.certificateWarning ? .warning : .ok
        return finding(
            level,
            "credential",
            "The certificate is valid until \(day); topic \(summary.topic).",
            advice: level == .ok ? nil : advice
        )
    }

    /// What to do where TLS fails: each fault of a certificate is mended by somebody else.
    func tlsAdvice(_ error: HTTP2ConnectError) -> String {
        switch error.certificate {
        case .expired:
            """
            Have the certificate of \(error.host):\(error.port) renewed; if it is not that old, set this machine's clock by \
            NTP.
            """
        case .notYetValid: "Set this machine's clock by NTP."
        case .untrusted where credential.trust == nil:
            """
            Store the authority of a proxy or simulator as the credential's trust; for Apple's own address check that no \
            proxy opens TLS, and that the system's trusted certificates are up to date.
            """
        case .untrusted: "Store the authority that signed it as the credential's trust; the stored one did not."
        case nil where credential.trust != nil:
            "Check the port in the credential's url, and the certificates given as its trust."
        case nil:
            """
            Check the port in the credential's url, that no proxy opens TLS, and that the system's trusted certificates are \
            up to date.
            """
        }
    }

    /// Why there is no answer.
    func connectionFinding(_ failure: HTTP2Failure) -> Finding {
        let reason =
            switch failure {
            case .unprocessed(let reason, _), .lost(let reason): reason
            case .deadline: "no answer in time"
            case .reset(let code): "the stream was reset with code \(code)"
            case .limit(let limit): limit
            }
        return finding(
            .problem,
            "connection",
            "The connection was lost before an answer came: \(reason).",
            advice: credential.summary.kind == .certificate
                ? "APNs closes connections of certificates that it refuses; check that yours is not revoked." : nil
        )
    }

    /// What the answer to the probe shows about authentication and clock.
    func findings(_ answer: APNsAnswer, tokenIssuedAt: Timestamp?, now: Timestamp) -> [Finding] {
        let context = APNsAnswerContext(
            credential: credential.summary,
            environment: credential.environment,
            tokenIssuedAt: tokenIssuedAt,
            now: now
        )
        return [authentication(answer, answer.verdict(in: context).outcome), clock(answer.date, now: now)]
    }

    /// Why nothing can be sent now.
    func authenticationFinding(_ rest: ProviderTokenSource.Resting) -> Finding {
        let moment = Date(timeIntervalSince1970: TimeInterval(rest.until.seconds)).formatted(.iso8601)
        return finding(
            .warning,
            "authentication",
            "APNs has received too many provider tokens; a new one is made at \(moment).",
            advice: "Check that no other server makes tokens with the same key."
        )
    }
}
