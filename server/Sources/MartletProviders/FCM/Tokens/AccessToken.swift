import MartletCore

/// An access token of Google (RFC 6749, section 1.4), and until when it is good.
struct AccessToken: Sendable, Hashable {
    /// The token as it stands behind `Bearer `.
    let text: String
    /// When it was got, by our clock.
    let obtainedAt: Timestamp
    /// When it ceases to be taken, by our clock.
    let expiresAt: Timestamp

    init(text: String, obtainedAt: Timestamp, expiresAt: Timestamp) {
        self.text = text
        self.obtainedAt = obtainedAt
        self.expiresAt = expiresAt
    }

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
enum AccessTokenTrouble: Error, Sendable, Hashable {
    /// The token endpoint is in trouble, or cannot be reached.
    case unavailable(reason: String)
    /// Nothing will do until an operator acts.
    case misconfigured(Outcome.Misconfiguration)
}
