import MartletCore

/// An access token of Google (RFC 6749, section 1.4), and until when it is good.
struct AccessToken: Sendable, Hashable {
    /// The token as it stands behind `Bearer `.
    let text: String
    /// When it was got, by our clock.
    let obtainedAt: Timestamp
    /// When it ceases to be taken, by our clock.
    let expiresAt: Timestamp
}

extension AccessToken {
    /// The form in which processes share it: its end in milliseconds, a space, the token.
    var shared: ProviderTokenStore.Entry {
        ProviderTokenStore.Entry(text: "\(expiresAt.rawValue) \(text)", issuedAt: obtainedAt)
    }

    /// A token that another process shared; `nil` for what has another form.
    init?(shared entry: ProviderTokenStore.Entry) {
        let parts = entry.text.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, let end = Int64(parts[0]) else { return nil }
        self.init(
            text: String(parts[1]),
            obtainedAt: entry.issuedAt,
            expiresAt: Timestamp(milliseconds: end)
        )
    }
}

/// Why there is no access token.
enum AccessTokenProblem: Error, Sendable, Hashable {
    /// The token endpoint is in trouble, or cannot be reached.
    case unavailable(reason: String)
    /// Nothing will do until an operator acts.
    case misconfigured(Outcome.Misconfiguration)
}

/// Decides when an access token is used, renewed and asked for. A pure value.
struct AccessTokenState: Sendable, Hashable {
    /// What to do for the next request.
    enum Decision: Sendable, Hashable {
        /// Use this one.
        case use(AccessToken)
        /// Use this one, and get the next meanwhile.
        case useAndRenew(AccessToken)
        /// There is none: get one.
        case renew
        /// There is none, and the endpoint is not asked before that moment.
        case rest(until: Timestamp, AccessTokenProblem)
    }

    /// How long before its end a token is renewed: as Google's own libraries do (google-auth, REFRESH_THRESHOLD).
    static let margin: Duration = .seconds(225)
    /// How long before its end it is not used any more: a request that waits for a stream must still arrive in time.
    static let lastUse: Duration = .seconds(10)
    /// A clock that was set back by more than this says nothing about a token's end any more.
    static let tolerance: Duration = .seconds(60)
    /// The first pause after the endpoint failed, doubled up to the longest. Both ours.
    static let shortestPause: Duration = .seconds(10)
    static let longestPause: Duration = .seconds(600)
    /// A token younger than this that is refused is not helped by another one. Ours.
    static let freshness: Duration = .seconds(60)

    private(set) var current: AccessToken?
    /// By how much our clock is corrected in what is signed.
    private(set) var correction: Duration = .zero
    /// The last one that FCM refused: it is not taken up again from elsewhere.
    private var worn: String?
    /// Whether the current one took the place of a refused one.
    private var isReplacement = false
    private var problem: AccessTokenProblem?
    private var restUntil = Timestamp(milliseconds: 0)
    private var failures = 0

    /// What to do for the next request.
    func decision(at now: Timestamp) -> Decision {
        let isResting = problem != nil && now < restUntil && restUntil - now <= Self.longestPause * 6
        if let current, isUsable(current, at: now) {
            if isResting || now < current.expiresAt - Self.margin(of: current) { return .use(current) }
            return .useAndRenew(current)
        }
        if isResting, let problem { return .rest(until: restUntil, problem) }
        return .renew
    }

    /// Whether a token that another process got may be used: it is not the refused one, and not due for renewal.
    func mayAdopt(_ token: AccessToken, at now: Timestamp) -> Bool {
        token.text != worn && isUsable(token, at: now) && now < token.expiresAt - Self.margin(of: token)
    }

    private func isUsable(_ token: AccessToken, at now: Timestamp) -> Bool {
        now < token.expiresAt - Self.lastUse && now + Self.tolerance >= token.obtainedAt
    }

    /// A quarter of the life of one that is shorter than Google's.
    private static func margin(of token: AccessToken) -> Duration {
        min(margin, (token.expiresAt - token.obtainedAt) * 0.25)
    }

    /// Takes a token into use.
    mutating func obtained(_ token: AccessToken) {
        isReplacement = worn != nil && current == nil
        current = token
        (problem, failures) = (nil, 0)
    }

    /// Notes that the endpoint gave none.
    ///
    /// - Parameter after: how long it asked us to wait.
    mutating func failed(_ problem: AccessTokenProblem, after: Duration?, at now: Timestamp) {
        let planned = Self.shortestPause * (1 << min(failures, 6))
        failures += 1
        self.problem = problem
        restUntil = now + max(min(planned, Self.longestPause), after ?? .zero)
    }

    /// Sets the clock's correction by what the endpoint's date says.
    mutating func correct(ours: Timestamp, theirs: Timestamp) { correction = theirs - ours }

    /// FCM refuses this one (401).
    ///
    /// - Returns: whether another one may help: not where this one has just taken the place of a refused one.
    mutating func refused(_ token: AccessToken, at now: Timestamp) -> Bool {
        guard let current, current == token else { return true }
        if isReplacement, now - token.obtainedAt < Self.freshness { return false }
        worn = token.text
        self.current = nil
        return true
    }
}
