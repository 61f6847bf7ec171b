public import MartletWire

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
    public var kind: CredentialKind
    /// What the provider knows the app by: at APNs the bundle id, at FCM the project's id, at Web Push the present VAPID
    /// key's public half.
    public var topic: String
    /// The signing key's id, where the provider gives it one.
    public var keyID: String?
    /// The provider's account, where the credential carries one: at APNs the team's id, at FCM the service account's
    /// address, at Web Push the VAPID subject.
    public var teamID: String?
    /// When it ceases to be valid by itself, as a certificate does.
    public var expiresAt: Timestamp?

    package init(kind: CredentialKind, topic: String, keyID: String?, teamID: String?, expiresAt: Timestamp?) {
        self.kind = kind
        self.topic = topic
        self.keyID = keyID
        self.teamID = teamID
        self.expiresAt = expiresAt
    }
}

/// What an operator hands over to authenticate an app; never logged, never stored as it is.
public struct CredentialDraft: Sendable {
    /// What a provider hands out, by provider: each has a form of its own.
    public enum Secret: Sendable {
        /// For one app at Apple; an empty bundle id is a certificate's own.
        case apns(APNs, bundleID: String)
        /// For one Firebase project: the text of a service account's JSON file.
        case fcm(serviceAccount: String)
        /// For one site's subscriptions.
        case webpush(WebPush)

        /// In which forms Apple hands it out.
        public enum APNs: Sendable {
            /// The text of a `.p8` file: PKCS#8 PEM around a P-256 key.
            case signingKey(pem: String, keyID: String, teamID: String)
            /// The bytes of a `.p12` file and its password.
            case pkcs12(bytes: [UInt8], password: String)
            /// A certificate (with its chain) and its private key as PEM.
            case pem(certificate: String, privateKey: String)
        }

        /// How a site's key pair is made, taken over or replaced.
        public struct WebPush: Sendable {
            /// Whom a push service may write to (RFC 8292, section 2.1); `nil` leaves it.
            public var subject: String?
            /// A key made elsewhere: the private half, 32 bytes as base64url.
            public var privateKey: String?
            /// Whether a new key takes the place of the present one.
            public var isRotation: Bool
            /// The secret that is stored now; the service that stores fills it in.
            package var previous: [UInt8]?

            package init(subject: String?, privateKey: String? = nil, isRotation: Bool = false) {
                (self.subject, self.privateKey, self.isRotation) = (subject, privateKey, isRotation)
            }
        }
    }

    /// The secret.
    public var secret: Secret
    /// Another address than the provider's own, as `https://host:port`.
    public var url: String?
    /// Whether the operator named that address, and not somebody with a key of one app.
    public var isURLOfOperator: Bool
    /// PEM certificates to trust at that address instead of the system's.
    public var trust: String?

    package init(
        _ secret: Secret,
        url: String? = nil,
        isURLOfOperator: Bool = false,
        trust: String? = nil
    ) {
        self.secret = secret
        self.url = url
        self.isURLOfOperator = isURLOfOperator
        self.trust = trust
    }

    /// The provider that the secret is of.
    public var platform: Platform {
        switch secret {
        case .apns: .apns
        case .fcm: .fcm
        case .webpush: .webpush
        }
    }
}
