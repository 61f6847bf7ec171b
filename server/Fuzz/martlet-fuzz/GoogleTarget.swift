import MartletWire

@testable import MartletCore
@testable import MartletProviders

/// What FCM, its token endpoint or somebody in their place answers: the status, the fields `date` and `retry-after`, a line
/// each, and the body.
enum GoogleTarget {
    private static let now = Timestamp(milliseconds: 1_800_000_000_000)

    static func run(_ input: FuzzInput) -> Bool {
        var input = input
        guard let status = Int(input.line()), (200...999).contains(status) else { return false }
        let date = input.line()
        let retryAfter = input.line()
        let body = Array(input.rest)
        send(FCMAnswer(status: status, body: body, date: date, retryAfter: retryAfter, now: now))
        grant(TokenAnswer(status: status, body: body, date: date, retryAfter: retryAfter, now: now))
        return true
    }

    private static func send(_ answer: FCMAnswer) {
        let reason = answer.recordedReason
        demand((1...64).contains(reason.utf8.count), "a reason of \(reason.utf8.count) bytes is recorded")
        demand(reason.utf8.allSatisfy { (0x20...0x7E).contains($0) }, "a reason that is not printable is recorded")
        let wait = answer.retryAfter ?? .zero
        demand(wait >= .zero && wait <= .seconds(3_600), "a wait of \(wait)")
        let credential = CredentialSummary(
            kind: .serviceAccount,
            topic: "martlet-test",
            keyID: "k",
            teamID: "push@martlet-test",
            expiresAt: nil
        )
        for mayRenewToken in [true, false] {
            let context = FCMAnswerContext(credential: credential, sentAt: now, mayRenewToken: mayRenewToken)
            let outcome = answer.verdict(in: context).outcome
            demand((outcome == .accepted) == (200..<300).contains(answer.status), "\(answer.status) is \(outcome)")
            // Only FCM's own words are held against a device.
            if case .rejected(let rejection) = outcome, rejection.meaning != .nothing {
                demand(answer.error != nil, "a foreign answer is held against a device")
            }
        }
    }

    private static func grant(_ answer: TokenAnswer) {
        switch answer.verdict(for: "push@martlet-test", signedAt: now, isCorrected: false, now: now) {
        case .token(let token):
            demand(
                token.expiresAt > now && token.expiresAt <= now + .seconds(86_400),
                "a token until \(token.expiresAt)"
            )
            demand(token.text.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "a token that is no header's value")
            demand(AccessToken(shared: token.shared) == token, "a token that is shared is another one")
        case .correctClock: demand(answer.status == 400, "the clock is corrected by \(answer.status)")
        case .problem(let problem, let after):
            demand((1...64).contains(problem.reason.utf8.count), "a reason of \(problem.reason.utf8.count) bytes")
            demand((after ?? .zero) <= .seconds(3_600), "a wait")
        }
    }
}
