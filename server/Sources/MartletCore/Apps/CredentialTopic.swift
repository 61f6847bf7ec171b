/// What is known of a topic that is pushed to with a credential: a mistyped one must not be held against devices.
public struct CredentialTopic: Sendable, Hashable {
    /// What the provider has said so far; the greater takes precedence over the smaller.
    public enum Standing: Int, Sendable, Hashable, CaseIterable {
        /// Tokens belong to another app, and nothing else.
        case refused = 0
        /// It has taken a push.
        case accepted = 1
    }

    /// The credential.
    public var credential: RowID<Credential>
    /// The topic as it is sent.
    public var name: String
    /// What the provider has said; `nil` where it has not been asked.
    public var standing: Standing?

    package init(credential: RowID<Credential>, name: String, standing: Standing?) {
        self.credential = credential
        self.name = name
        self.standing = standing
    }
}
