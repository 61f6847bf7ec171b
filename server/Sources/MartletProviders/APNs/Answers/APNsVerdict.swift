import MartletCore

/// What an answer means: for the delivery, and for the connection and token that it came through.
struct APNsVerdict: Sendable, Hashable {
    /// What is done beside recording the outcome.
    enum Reaction: Sendable, Hashable {
        /// Nothing.
        case none
        /// The request should never have been sent: it is counted as our defect.
        case defect
        /// New requests go through new connections.
        case reconnect
        /// A new provider token, and new connections: APNs holds a connection to the token it began with.
        case renewToken
        /// The token before stays in use, and no new one is minted for a while.
        case keepOldToken
    }

    /// What happens to the delivery.
    var outcome: Outcome
    /// What is done beside that.
    var reaction: Reaction = .none
    /// Whether Apple's documents do not have this answer.
    var isUnknown = false
}

/// What a verdict depends on beside the answer.
struct APNsAnswerContext: Sendable, Hashable {
    /// How the request was authenticated.
    var credential: CredentialSummary
    /// The environment that it went to.
    var environment: Environment
    /// Whether the request named another topic than the credential's: what APNs says against it is about that topic, and
    /// not about the endpoint or the app.
    var isTopicForeign = false
    /// The `iat` of the provider token that it carried.
    var tokenIssuedAt: Timestamp?
    /// When the answer came, by our clock.
    var now: Timestamp

    /// A provider token younger than this cannot have expired: if APNs says so, one of the clocks is wrong. It could
    /// not be replaced either, since Apple wants new ones at most every 20 minutes.
    static let freshness = ProviderTokenState.mintingPause

    /// Whether the token was minted by a clock that is ahead of the present one.
    fileprivate var isTokenOfFuture: Bool {
        tokenIssuedAt.map { $0 > now + ProviderTokenState.tolerance } ?? false
    }
}

extension APNsAnswer {
    /// The whole table of answers as a pure function.
    ///
    /// A reason is taken at its word when the status is of the class that Apple documents for it; another one goes by the
    /// status. A refusal without a reason is not APNs's own, and is tried again.
    func verdict(in context: APNsAnswerContext) -> APNsVerdict {
        if (200..<300).contains(status) { return APNsVerdict(outcome: .accepted, isUnknown: status != 200) }
        if let reason, let row = APNsAnswerTable.rows[reason], row.status / 100 == status / 100 {
            return verdict(of: row.meaning, in: context)
        }
        var verdict = verdictByStatus(in: context)
        verdict.isUnknown = true
        return verdict
    }

    private func verdict(of meaning: APNsAnswerTable.Meaning, in context: APNsAnswerContext) -> APNsVerdict {
        let reason = recordedReason
        if context.isTopicForeign, meaning.isAboutTopic { return APNsVerdict(outcome: rejected()) }
        switch meaning {
        case .ourMistake: return APNsVerdict(outcome: rejected(), reaction: .defect)
        case .endpoint(let meaning): return APNsVerdict(outcome: rejected(meaning))
        case .unregistered: return APNsVerdict(outcome: rejected(.unregistered(since: timestamp)))
        // A clock that was set back meanwhile has made the token one of the future; the next one is not.
        case .misconfigured(.signingKey) where context.isTokenOfFuture:
            return APNsVerdict(
                outcome: .retry(.init(reason: reason, kind: .connection, after: .zero)),
                reaction: .renewToken
            )
        case .misconfigured(let advice): return APNsVerdict(outcome: misconfigured(advice.text(context)))
        case .expiredProviderToken: return expiredProviderToken(in: context)
        case .reconnect:
            return APNsVerdict(
                outcome: .retry(.init(reason: reason, kind: .connection, after: .zero)),
                reaction: .reconnect
            )
        case .deviceBusy: return APNsVerdict(outcome: retry(.rateLimited))
        case .tooManyTokens: return APNsVerdict(outcome: retry(.provider), reaction: .keepOldToken)
        case .provider: return APNsVerdict(outcome: retry(.provider))
        case .shutdown: return APNsVerdict(outcome: .reroute(reason: reason), reaction: .reconnect)
        }
    }

    private func expiredProviderToken(in context: APNsAnswerContext) -> APNsVerdict {
        guard let issuedAt = context.tokenIssuedAt, context.now - issuedAt < APNsAnswerContext.freshness else {
            return APNsVerdict(
                outcome: .retry(.init(reason: recordedReason, kind: .connection, after: .zero)),
                reaction: .renewToken
            )
        }
        return APNsVerdict(outcome: misconfigured(ClockAdvice.text(ours: context.now, theirs: date)))
    }

    private func verdictByStatus(in context: APNsAnswerContext) -> APNsVerdict {
        if isForeign { return APNsVerdict(outcome: retry(.provider)) }
        return switch status {
        case 401, 403: APNsVerdict(outcome: misconfigured(APNsAdvice.unknownRefusal.text(context)))
        case 410: APNsVerdict(outcome: rejected(.unregistered(since: timestamp)))
        case 429: APNsVerdict(outcome: retry(.rateLimited))
        case 300..<400: APNsVerdict(outcome: misconfigured(APNsAdvice.notAPNs.text(context)))
        case 400..<500: APNsVerdict(outcome: rejected())
        default: APNsVerdict(outcome: retry(.provider))
        }
    }
}

extension APNsAnswerTable.Meaning {
    /// Whether another topic could have got another answer: a token is of one app, and a signing key of one team.
    fileprivate var isAboutTopic: Bool {
        switch self {
        case .endpoint(.badToken): false
        case .endpoint, .unregistered, .misconfigured(.topic), .misconfigured(.signingKey), .misconfigured(.forbidden):
            true
        default: false
        }
    }
}
