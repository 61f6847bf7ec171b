import MartletCore
import MartletTransport
import MartletWire
import NIOCore

/// How a service is spoken of to the operator.
struct ServiceWords: Sendable {
    /// Its name.
    var service: String
    /// Whose address it is.
    var company: String
    /// Whose clock it is.
    var clock: String
    /// What it authenticates, and what it accepts where it does.
    var credential: String
    var accepted: String
}

/// Puts what a probe of a credential saw into words for the operator; pure.
protocol ServiceDiagnosis: Sendable {
    static var words: ServiceWords { get }

    var credential: Credential { get }

    /// What a finding about a part is about, such as `apns/production clock`.
    func subject(_ part: String) -> String

    /// What to do where TLS fails.
    func tlsAdvice(_ error: HTTP2ConnectError) -> String
}

extension ServiceDiagnosis {
    /// A finding about a part.
    func finding(_ level: Finding.Level, _ part: String, _ message: String, advice: String? = nil) -> Finding {
        Finding(level, subject(part), message, advice: advice)
    }

    /// That an answer came.
    func reached(_ address: ServerAddress) -> Finding {
        finding(.ok, "connection", "\(address.authority) answers over HTTP/2.")
    }

    /// Why there is no connection.
    func connectionFinding(_ error: HTTP2ConnectError) -> Finding {
        let advice =
            switch error.phase {
            case .resolve: "Check the name server, or the credential's url."
            case .forbidden:
                """
                Leave the url out to send to \(Self.words.company), or have the operator store the credential or list the \
                host in privateHosts.
                """
            case .connect:
                "Allow connections to \(error.host):\(error.port) in the firewall, or check the credential's url."
            case .tls: tlsAdvice(error)
            case .alpn: "Something on the way does not support HTTP/2; connect directly."
            case .settings: "The other side accepted the connection but did not answer; try again later."
            }
        return finding(
            .problem,
            "connection",
            "No connection: \(error.host):\(error.port): \(error.phase.rawValue): \(error.reason).",
            advice: advice
        )
    }

    /// What an answer shows about authentication.
    func authentication(_ answer: some ServiceAnswer, _ outcome: Outcome) -> Finding {
        let (words, reason) = (Self.words, answer.recordedReason)
        return switch outcome {
        case .accepted, .rejected: finding(.ok, "authentication", "\(words.service) accepts the \(words.accepted).")
        case .misconfigured(let misconfiguration):
            finding(
                .problem,
                "authentication",
                "\(words.service) refuses the \(words.credential): \(reason).",
                advice: misconfiguration.advice
            )
        case .retry where answer.isForeign:
            finding(
                .problem,
                "authentication",
                "The address answers \(reason), which is not \(words.service)'s answer: it is a proxy or another server.",
                advice: "Check the credential's url, and any proxy in between."
            )
        case .retry, .reroute:
            finding(
                .warning,
                "authentication",
                "\(words.service) did not check the \(words.credential): \(reason).",
                advice: "Try again in some minutes."
            )
        }
    }

    /// How far the clocks differ.
    func clock(_ date: Timestamp?, now: Timestamp) -> Finding {
        guard let date else {
            return finding(.ok, "clock", "The answer has no date, so the clocks cannot be compared.")
        }
        let skew = now - date
        let size = skew < .zero ? .zero - skew : skew
        guard size > ClockAdvice.tolerance else {
            return finding(.ok, "clock", "The clocks agree within \(ClockAdvice.tolerance.components.seconds) s.")
        }
        let (seconds, clock) = (size.components.seconds, Self.words.clock)
        return finding(
            size > ClockAdvice.worstSkew ? .problem : .warning,
            "clock",
            skew > .zero
                ? "This machine's clock is \(seconds) s ahead of \(clock)'s."
                : "This machine's clock is \(seconds) s behind \(clock)'s.",
            advice: "Set it by NTP."
        )
    }
}

/// What to say when the clocks of the two sides do not agree.
enum ClockAdvice {
    /// Below this the difference is put down to the network and to the whole seconds of the header.
    static let tolerance: Duration = .seconds(30)
    /// Apple takes provider tokens for an hour and Martlet uses them for up to 50 minutes, so a clock that is ten
    /// minutes behind makes them expire in use. Google takes a grant whose `iat` is this far from its own clock; beyond
    /// it the clock is corrected by the answer.
    static let worstSkew: Duration = .seconds(600)

    /// What an operator should do when a token counts as expired that by our clock is less than 20 minutes old.
    static func text(ours: Timestamp, theirs: Timestamp?) -> String {
        guard let theirs else {
            return "APNs considers a fresh provider token expired. Set this machine's clock by NTP."
        }
        let skew = ours - theirs
        guard skew > tolerance || skew < .zero - tolerance else {
            return """
                APNs takes a fresh provider token for expired, though the clocks agree. Check that no other server \
                uses the same key with a wrong clock.
                """
        }
        let direction = skew > .zero ? "ahead of" : "behind"
        let seconds = abs(skew.milliseconds) / 1_000
        return "This machine's clock is \(seconds) s \(direction) APNs's. Set it by NTP."
    }
}

extension PushService {
    /// Asks over a connection of its own, so that what is found is about now and not about a connection made long ago.
    func probe(
        _ configuration: HTTP2ClientConfiguration,
        _ diagnosis: some ServiceDiagnosis,
        _ ask: (HTTP2ClientConnection) async -> [Finding]
    ) async -> [Finding] {
        let connection: HTTP2ClientConnection
        do throws(HTTP2ConnectError) {
            connection = try await .connect(configuration, group: context.group, logger: context.logger)
        } catch {
            return [diagnosis.connectionFinding(error)]
        }
        let findings = await ask(connection)
        await connection.close(within: .seconds(1))
        return findings
    }
}
