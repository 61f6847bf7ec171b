import MartletCore

/// What an answer means: for the delivery, and for the project that it came to.
struct FCMVerdict: Sendable, Hashable {
    /// What is done beside recording the outcome.
    enum Reaction: Sendable, Hashable {
        /// Nothing.
        case none
        /// The request should never have been sent: it is counted as our defect.
        case defect
        /// Another access token.
        case renewToken
        /// The project's rate is halved, and nothing is sent for so long.
        case slowDown(for: Duration)
        /// The project lacks the key for the devices of another service: a finding for the operator.
        case noteThirdParty
    }

    /// What happens to the delivery.
    var outcome: Outcome
    /// What is done beside that.
    var reaction: Reaction = .none
    /// Whether Google's documents do not have this answer.
    var isUnknown = false
}

/// What a verdict depends on beside the answer.
struct FCMAnswerContext: Sendable, Hashable {
    /// The project's id and the account's address, for what is told to the operator.
    var credential: CredentialSummary
    /// When the request was sent: a registration since then takes precedence over what is said of the token.
    var sentAt: Timestamp
    /// Whether another access token may help.
    var mayRenewToken = true
    /// Whether another device was refused for the quota just before.
    var isQuotaOfProject = false
}

extension FCMAnswer {
    /// How long to wait where the project lacks a key for a device: until somebody has looked.
    static let thirdPartyPause: Duration = .seconds(600)
    /// Google: without `Retry-After` after 429 wait 60 s ("Best practices for sending FCM messages at scale").
    static let quotaPause: Duration = .seconds(60)
    /// Google: a server in trouble gets 10 s at least before another request, whatever the sender's own policy ("Best
    /// practices for sending FCM messages at scale").
    static let unavailablePause: Duration = .seconds(10)
    /// How the message of 400 begins for a token that is none; its details need not have a field.
    static let badTokenMessage = "The registration token is not a valid FCM registration token"

    /// The whole table of answers as a pure function.
    func verdict(in context: FCMAnswerContext) -> FCMVerdict {
        switch status {
        case 200: FCMVerdict(outcome: .accepted)
        case 201..<300: FCMVerdict(outcome: .accepted, isUnknown: true)
        case 300..<400: FCMVerdict(outcome: misconfigured(FCMAdvice.notFCM(context.credential)))
        case 400: badRequest()
        case 401: unauthenticated(in: context)
        case 403: forbidden(in: context)
        case 404: notFound(in: context)
        case 408: FCMVerdict(outcome: retry(.provider))
        case 413: FCMVerdict(outcome: .rejected(.init(reason: Self.tooLarge)), reaction: .defect)
        case 429: quotaExceeded(in: context)
        case 400..<500 where isForeign: FCMVerdict(outcome: retry(.provider), isUnknown: true)
        case 400..<500: FCMVerdict(outcome: rejected(), isUnknown: true)
        default: unavailable()
        }
    }

    private static let tooLarge = "payload_too_large"

    private func badRequest() -> FCMVerdict {
        // A proxy's word says nothing about a device.
        if isForeign { return FCMVerdict(outcome: retry(.provider), isUnknown: true) }
        let text = message ?? ""
        if !fields.isDisjoint(with: ["message.token", "message.fid"]) || text.hasPrefix(Self.badTokenMessage) {
            return FCMVerdict(outcome: rejected(.badToken))
        }
        let lower = text.lowercased()
        if lower.contains("too big") || lower.contains("too large") {
            return FCMVerdict(outcome: .rejected(.init(reason: Self.tooLarge)), reaction: .defect)
        }
        return FCMVerdict(outcome: rejected(), reaction: .defect)
    }

    private func unavailable() -> FCMVerdict {
        let pause = max(retryAfter ?? .zero, Self.unavailablePause)
        let outcome = Outcome.retry(.init(reason: recordedReason, kind: .provider, after: pause))
        return FCMVerdict(outcome: outcome, isUnknown: ![500, 502, 503, 504].contains(status))
    }

    private func notFound(in context: FCMAnswerContext) -> FCMVerdict {
        if errorCode == "UNREGISTERED" {
            return FCMVerdict(outcome: rejected(.unregistered(since: context.sentAt)))
        }
        // A proxy's page says nothing about the project.
        if isForeign { return FCMVerdict(outcome: retry(.provider), isUnknown: true) }
        return FCMVerdict(outcome: misconfigured(FCMAdvice.noProject(context.credential)))
    }

    private func forbidden(in context: FCMAnswerContext) -> FCMVerdict {
        if errorCode == "SENDER_ID_MISMATCH" { return FCMVerdict(outcome: rejected(.wrongTopic)) }
        if isForeign { return FCMVerdict(outcome: retry(.provider), isUnknown: true) }
        return FCMVerdict(outcome: misconfigured(FCMAdvice.forbidden(context.credential)))
    }

    /// Firebase lacks the key of another service for a device; the second was the first one's name for Apple's.
    private static let thirdPartyCodes: Set = ["THIRD_PARTY_AUTH_ERROR", "APNS_AUTH_ERROR"]

    private func unauthenticated(in context: FCMAnswerContext) -> FCMVerdict {
        if errorCode.map(Self.thirdPartyCodes.contains) ?? false {
            // Held against the device alone: what goes to Android shares the queue.
            let outcome = Outcome.retry(
                .init(reason: recordedReason, kind: .rateLimited, after: Self.thirdPartyPause)
            )
            return FCMVerdict(outcome: outcome, reaction: .noteThirdParty)
        }
        // What refuses the access token has no error code of FCM's; what has one is about a message, and others go on with
        // the token.
        guard errorCode == nil else { return FCMVerdict(outcome: retry(.provider), isUnknown: true) }
        guard context.mayRenewToken else {
            return FCMVerdict(outcome: misconfigured(FCMAdvice.unauthenticated(context.credential)))
        }
        let outcome = Outcome.retry(.init(reason: recordedReason, kind: .connection, after: .zero))
        return FCMVerdict(outcome: outcome, reaction: .renewToken)
    }

    private func quotaExceeded(in context: FCMAnswerContext) -> FCMVerdict {
        let pause = retryAfter ?? Self.quotaPause
        // Neither is the service's own trouble: a breaker would hold back what the quota lets pass.
        let outcome = Outcome.retry(.init(reason: recordedReason, kind: .rateLimited, after: pause))
        let isOfProject = quotaScope.map { $0 == .project } ?? context.isQuotaOfProject
        return FCMVerdict(outcome: outcome, reaction: isOfProject ? .slowDown(for: pause) : .none)
    }

    /// Whose quota was used up.
    enum QuotaScope: Sendable, Hashable { case project, device }

    /// What the answer itself says of it; `nil` where it does not.
    var quotaScope: QuotaScope? {
        let subjects = quotaSubjects.map { $0.lowercased() }
        if subjects.contains(where: { $0.contains("project") }) { return .project }
        return subjects.contains { $0.contains("device") || $0.contains("token") } ? .device : nil
    }
}
