import MartletTransport
import MartletWire

@testable import MartletCore
@testable import MartletProviders

/// What APNs or somebody in its place answers: the status, the fields `date` and `retry-after`, a line each, and the
/// body; or, with the status 0, the reason of a GOAWAY.
enum AnswersTarget {
    /// 2027-01-15T08:00:00Z, a moment like any other.
    private static let now = Timestamp(milliseconds: 1_800_000_000_000)

    static func run(_ input: FuzzInput) -> Bool {
        var input = input
        guard let status = Int(input.line()), status == 0 || (200...999).contains(status) else { return false }
        let date = input.line()
        let retryAfter = input.line()
        if status == 0 {
            lost(String(decoding: input.rest, as: UTF8.self))
            return true
        }
        let answer = APNsAnswer(status: status, body: Array(input.rest), date: date, retryAfter: retryAfter, now: now)
        check(answer)
        for kind in CredentialKind.allCases {
            for issuedAt in [nil, now, now - .seconds(3600)] {
                let context = context(kind, issuedAt: issuedAt)
                let outcome = answer.verdict(in: context).outcome
                demand((outcome == .accepted) == (200..<300).contains(status), "\(status) is \(outcome)")
                settle(outcome)
            }
        }
        return true
    }

    private static func context(_ kind: CredentialKind, issuedAt: Timestamp?) -> APNsAnswerContext {
        let hasKey = kind == .token
        let credential = CredentialSummary(
            kind: kind,
            topic: "com.example.app",
            keyID: hasKey ? "ABCD1234" : nil,
            teamID: hasKey ? "TEAM1234" : nil,
            expiresAt: nil
        )
        return APNsAnswerContext(credential: credential, environment: .production, tokenIssuedAt: issuedAt, now: now)
    }

    private static func check(_ answer: APNsAnswer) {
        let reason = answer.recordedReason
        demand((1...64).contains(reason.utf8.count), "a reason of \(reason.utf8.count) bytes is recorded")
        demand(reason.utf8.allSatisfy { (0x20...0x7E).contains($0) }, "a reason that is not printable is recorded")
        demand((answer.date?.rawValue ?? 0) >= 0, "a date before 1970")
        let wait = answer.retryAfter ?? .zero
        demand(wait >= .zero && wait <= .seconds(3600), "a wait of \(wait)")
    }

    /// A connection that ended with these words.
    private static func lost(_ reason: String) {
        for failure in [HTTP2Failure.unprocessed(reason), .unprocessed(reason, isDisowned: true), .lost(reason)] {
            for hasConnection in [true, false] {
                settle(MissingAnswer.outcome(of: failure, hasConnection: hasConnection))
            }
        }
    }

    /// What the pipeline makes of an outcome, at the first attempt and at the last ones.
    private static func settle(_ outcome: Outcome) {
        for attempts in [1, 3, 49, 50] {
            let circumstances = Verdict.Circumstances(
                attempts: attempts,
                hasWaited: attempts > 3,
                policy: .standard,
                expiresAt: now + .seconds(86_400),
                now: now,
                jitter: 1.2,
                environment: .production,
                isEndpointEnvironmentKnown: attempts > 1,
                mayTryOtherEnvironment: attempts == 1,
                isTopicAccepted: attempts > 1
            )
            let verdict = Verdict(outcome, circumstances)
            if case .retry(let moment) = verdict.consequence {
                demand(moment >= now && moment < circumstances.expiresAt, "a retry at \(moment)")
            }
            if case .end(.accepted, _) = verdict.consequence { demand(outcome == .accepted, "\(outcome) is accepted") }
        }
    }
}
