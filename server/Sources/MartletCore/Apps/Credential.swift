/// What authenticates an app at a provider, as it is stored: the secret part is sealed by the vault.
public struct Credential: Sendable, Hashable {
    /// The key inside the store; a replaced credential gets a new one, which is how connection pools notice.
    public var row: RowID<Credential>
    /// Whose it is.
    public var app: RowID<App>
    /// Which provider it is for.
    public var platform: Platform
    /// Which of the provider's environments it is for.
    public var environment: Environment
    /// The parts that are not secret.
    public var summary: CredentialSummary
    /// The secret part, sealed.
    public var sealed: [UInt8]
    /// Another address than the provider's own, as `https://host:port`: a simulator or a proxy.
    public var url: String?
    /// Whether the operator named that address, and not somebody with a key of one app: then it may be a private one.
    public var isURLOfOperator: Bool
    /// PEM certificates to trust at that address instead of the system's.
    public var trust: String?
    /// When it was stored.
    public var createdAt: Timestamp
    /// Whether anything is sent with it: nothing is while its platform application is disabled.
    public var isEnabled: Bool
    /// What the provider has said of the topics that were pushed to with it.
    public var topics: [String: CredentialTopic.Standing] = [:]

    package init(
        row: RowID<Credential>,
        app: RowID<App>,
        platform: Platform,
        environment: Environment,
        summary: CredentialSummary,
        sealed: [UInt8],
        url: String?,
        isURLOfOperator: Bool = false,
        trust: String?,
        createdAt: Timestamp,
        isEnabled: Bool = true
    ) {
        self.row = row
        self.app = app
        self.platform = platform
        self.environment = environment
        self.summary = summary
        self.sealed = sealed
        self.url = url
        self.isURLOfOperator = isURLOfOperator
        self.trust = trust
        self.createdAt = createdAt
        self.isEnabled = isEnabled
    }

    /// Whether it leads to an address that somebody named who is not the operator.
    public var isURLOfOthers: Bool { url != nil && !isURLOfOperator }

    /// What it authenticates.
    public var queue: DeliveryQueue { DeliveryQueue(app: app, platform: platform, environment: environment) }
}

/// The parts of a credential that may be shown.
public struct CredentialSummary: Sendable, Hashable, Codable {
    /// How it authenticates.
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        /// A signing key (`.p8`) from which provider tokens are minted.
        case token
        /// A TLS client certificate (`.p12` or PEM).
        case certificate
    }

    /// How it authenticates.
    public var kind: Kind
    /// The topic that pushes go to before any push-type suffix: at Apple the bundle id.
    public var topic: String
    /// The signing key's id; absent for a certificate.
    public var keyID: String?
    /// The team's id; absent for a certificate that does not carry one.
    public var teamID: String?
    /// When a certificate ceases to be valid.
    public var expiresAt: Timestamp?

    package init(kind: Kind, topic: String, keyID: String?, teamID: String?, expiresAt: Timestamp?) {
        self.kind = kind
        self.topic = topic
        self.keyID = keyID
        self.teamID = teamID
        self.expiresAt = expiresAt
    }
}

/// What an operator hands over to authenticate an app; never logged, never stored as it is.
public struct CredentialDraft: Sendable {
    /// The secret in one of the forms in which providers hand it out.
    public enum Secret: Sendable {
        /// The text of a `.p8` file: PKCS#8 PEM around a P-256 key.
        case signingKey(pem: String, keyID: String, teamID: String)
        /// The bytes of a `.p12` file and its password.
        case pkcs12(bytes: [UInt8], password: String)
        /// A certificate (with its chain) and its private key as PEM.
        case pem(certificate: String, privateKey: String)
    }

    /// Which provider it is for.
    public var platform: Platform
    /// The secret.
    public var secret: Secret
    /// The topic before any push-type suffix: at Apple the bundle id.
    public var topic: String
    /// Another address than the provider's own, as `https://host:port`.
    public var url: String?
    /// Whether the operator named that address, and not somebody with a key of one app.
    public var isURLOfOperator: Bool
    /// PEM certificates to trust at that address instead of the system's.
    public var trust: String?

    package init(
        platform: Platform,
        secret: Secret,
        topic: String,
        url: String? = nil,
        isURLOfOperator: Bool = false,
        trust: String? = nil
    ) {
        self.platform = platform
        self.secret = secret
        self.topic = topic
        self.url = url
        self.isURLOfOperator = isURLOfOperator
        self.trust = trust
    }
}
