/// Where provider tokens are kept between processes and restarts, sealed.
///
/// Apple wants a key's token to be made anew at most every 20 minutes and answers 429 `TooManyProviderTokenUpdates`
/// otherwise; a server that is restarted, or several that run side by side, must go on with the token that there is.
public struct ProviderTokenStore: Sendable {
    /// A token and when it was made.
    public struct Entry: Sendable, Hashable {
        /// The token.
        public var text: String
        /// Its `iat`.
        public var issuedAt: Timestamp

        package init(text: String, issuedAt: Timestamp) {
            self.text = text
            self.issuedAt = issuedAt
        }
    }

    /// What all agree on under a name, or `nil`, once a proposal was written where what stands there is still what the
    /// caller saw.
    public typealias Agreement =
        @Sendable (_ name: String, _ proposal: SharedValue.Proposal?) async throws -> SharedValue?

    private let agree: Agreement
    private let vault: Vault

    /// Tokens that are sealed by a vault, and kept where all processes see them.
    public init(_ agree: @escaping Agreement, vault: Vault) {
        self.agree = agree
        self.vault = vault
    }

    /// The token of that name; `nil` when there is none, or none that this encryption key opens.
    public func token(_ name: String) async throws -> Entry? {
        try await agree(purpose(name), nil).flatMap { open($0, name) }
    }

    /// Stores a token, unless somebody else put another one there since.
    ///
    /// - Parameter seen: the token that the caller saw.
    /// - Returns: the token that all processes use from now on.
    public func keep(_ entry: Entry, as name: String, insteadOf seen: Entry?) async throws -> Entry {
        let sealed = try vault.seal(Array(entry.text.utf8), for: purpose(name))
        let value = SharedValue(sealed: sealed, madeAt: entry.issuedAt)
        let proposal = SharedValue.Proposal(value: value, seen: seen?.issuedAt)
        return try await agree(purpose(name), proposal).flatMap { open($0, name) } ?? entry
    }

    private func open(_ value: SharedValue, _ name: String) -> Entry? {
        guard let text = try? vault.open(value.sealed, for: purpose(name)) else { return nil }
        return Entry(text: String(decoding: text, as: UTF8.self), issuedAt: value.madeAt)
    }

    private func purpose(_ name: String) -> String { "provider-token/\(name)" }
}
