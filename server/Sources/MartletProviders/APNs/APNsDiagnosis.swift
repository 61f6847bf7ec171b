import Foundation
import MartletCore
import MartletTransport

/// Puts what a probe saw into words for the operator; pure.
struct APNsDiagnosis: Sendable {
    let credential: Credential

    /// Two months: long enough to plan the renewal of a certificate.
    static let certificateWarning: Duration = .seconds(60 * 86_400)
    /// Apple takes provider tokens for an hour and Martlet uses them for up to 50 minutes, so a clock that is ten
    /// minutes behind makes them expire in use.
    static let worstSkew: Duration = .seconds(600)

    /// What a finding is about, such as `apns/production clock`.
    func subject(_ part: String) -> String { "apns/\(credential.environment.rawValue) \(part)" }

    /// The credential itself: its kind, its end, its environment.
    func credentialFinding(leaf: PushCertificate?, now: Timestamp) -> Finding {
        let summary = credential.summary
        guard summary.kind == .certificate else {
            let (key, team) = (summary.keyID ?? "?", summary.teamID ?? "?")
            let isWhole = [key, team].allSatisfy { $0.count == APNsCredentialCheck.idLength }
            return Finding(
                isWhole ? .ok : .warning,
                subject("credential"),
                "The key \(key) of team \(team) is readable; topic \(summary.topic).",
                advice: isWhole
                    ? nil : "Apple's key ids and team ids have 10 characters: compare them with the developer account."
            )
        }
        if let leaf, !leaf.environments.isEmpty, !leaf.environments.contains(credential.environment) {
            return Finding(
                .problem,
                subject("credential"),
                "The certificate is not for \(credential.environment.rawValue).",
                advice: "Store it for the other environment, or store a certificate for both."
            )
        }
        guard let end = summary.expiresAt ?? leaf?.validUntil else {
            return Finding(.ok, subject("credential"), "The certificate is readable; topic \(summary.topic).")
        }
        let day = APNsCredentialCheck.day(end)
        let advice = "Make a new push certificate in the developer account and store it."
        if end <= now {
            return Finding(.problem, subject("credential"), "The certificate expired on \(day).", advice: advice)
        }
        let level: Finding.Level = end - now < Self.certificateWarning ? .warning : .ok
        return Finding(
            level,
            subject("credential"),
            "The certificate is valid until \(day); topic \(summary.topic).",
            advice: level == .ok ? nil : advice
        )
    }

    /// Why there is no connection.
    func connectionFinding(_ error: HTTP2ConnectError) -> Finding {
        let advice =
            switch error.phase {
            case .resolve: "Check the name server, or the credential's url."
            case .forbidden:
                "Leave the url out to send to Apple, or have the operator store the credential or list the host in privateHosts."
            case .connect:
                "Allow connections to \(error.host):\(error.port) in the firewall, or check the credential's url."
            case .tls: certificateAdvice(error)
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

    /// What to do where TLS fails: each fault of a certificate is mended by somebody else.
    private func certificateAdvice(_ error: HTTP2ConnectError) -> String {
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
        return Finding(
            .problem,
            subject("connection"),
            "The connection was lost before an answer came: \(reason).",
            advice: credential.summary.kind == .certificate
                ? "APNs closes connections of certificates that it refuses; check that yours is not revoked." : nil
        )
    }

    /// What the answer to the probe shows about authentication and clock.
    func findings(_ answer: APNsAnswer, tokenIssuedAt: Timestamp?, now: Timestamp) -> [Finding] {
        [authentication(answer, tokenIssuedAt: tokenIssuedAt, now: now), clock(answer.date, now: now)]
    }

    /// Why nothing can be sent now.
    func authenticationFinding(_ rest: ProviderTokenSource.Resting) -> Finding {
        let moment = Date(timeIntervalSince1970: TimeInterval(rest.until.seconds)).formatted(.iso8601)
        return Finding(
            .warning,
            subject("authentication"),
            "APNs has received too many provider tokens; a new one is made at \(moment).",
            advice: "Check that no other server makes tokens with the same key."
        )
    }

    private func authentication(_ answer: APNsAnswer, tokenIssuedAt: Timestamp?, now: Timestamp) -> Finding {
        let context = APNsAnswerContext(
            credential: credential.summary,
            environment: credential.environment,
            tokenIssuedAt: tokenIssuedAt,
            now: now
        )
        let reason = answer.recordedReason
        switch answer.verdict(in: context).outcome {
        case .misconfigured(let misconfiguration):
            return Finding(
                .problem,
                subject("authentication"),
                "APNs refuses the credential: \(reason).",
                advice: misconfiguration.advice
            )
        case .accepted, .rejected:
            return Finding(.ok, subject("authentication"), "APNs accepts the credential.")
        case .retry where answer.isForeign:
            return Finding(
                .problem,
                subject("authentication"),
                "The address answers \(reason), which is not APNs's answer: it is a proxy or another server.",
                advice: "Check the credential's url, and any proxy in between."
            )
        case .retry, .reroute:
            return Finding(
                .warning,
                subject("authentication"),
                "APNs did not check the credential: \(reason).",
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
            "This machine's clock is \(size.components.seconds) s \(direction) APNs's.",
            advice: "Set it by NTP."
        )
    }
}
