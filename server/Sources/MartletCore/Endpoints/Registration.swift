public import MartletWire

/// What a device or a backend asks for when it registers a token.
public struct Registration: Sendable {
    /// Who the endpoint shall belong to.
    public enum Owner: Sendable, Hashable {
        /// Whoever it belongs to now.
        case unchanged
        /// Nobody: the user logged out.
        case nobody
        /// This user.
        case user(String)
    }

    /// An installation's word for itself.
    public struct InstallationClaim: Sendable {
        /// The id that the SDK made.
        public var id: PublicID
        /// The hash of the secret that it presented.
        public var presented: SecretHash?
        /// The hash of the secret that it gets if it is new.
        public var issued: SecretHash

        package init(id: PublicID, presented: SecretHash?, issued: SecretHash) {
            self.id = id
            self.presented = presented
            self.issued = issued
        }
    }

    /// Whose app it is.
    public var app: RowID<App>
    /// The provider.
    public var platform: Platform
    /// The token, normalized.
    public var token: String
    /// The provider's environment, where the caller knows it.
    public var environment: Environment?
    /// The token that this one takes the place of, normalized, where the caller knows it.
    public var previousToken: String?
    /// The installation, where the SDK registers.
    public var installation: InstallationClaim?
    /// Who the endpoint shall belong to.
    public var owner: Owner
    /// What the device says about itself.
    public var device: DeviceInfo
    /// What messages to it are sealed with, at Web Push.
    public var subscription: StoredSubscription?
    /// Whether it may take the token of another installation, or of a user's device.
    public var mayTakeToken = true
    /// How many devices the user may have with a new one; `nil` is no bound.
    public var deviceLimit: Int?

    package init(
        app: RowID<App>,
        platform: Platform,
        token: String,
        environment: Environment? = nil,
        previousToken: String? = nil,
        installation: InstallationClaim? = nil,
        owner: Owner = .unchanged,
        device: DeviceInfo = DeviceInfo(),
        subscription: StoredSubscription? = nil
    ) {
        self.app = app
        self.platform = platform
        self.token = token
        self.environment = environment
        self.previousToken = previousToken
        self.installation = installation
        self.owner = owner
        self.device = device
        self.subscription = subscription
    }
}

/// The result of a registration.
public struct Registered: Sendable {
    /// The endpoint as it is now.
    public var endpoint: Endpoint
    /// Whether the endpoint did not exist before.
    public var isNew: Bool
    /// Whether the issued installation secret is now the one in force and must be handed to the device.
    public var isSecretIssued: Bool

    package init(endpoint: Endpoint, isNew: Bool, isSecretIssued: Bool) {
        self.endpoint = endpoint
        self.isNew = isNew
        self.isSecretIssued = isSecretIssued
    }
}
