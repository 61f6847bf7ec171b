/// Hands over what authenticates an app at a provider: `PUT /api/v1/apps/{app}/credentials`.
///
/// Exactly one form. For APNs: `p8` with `key_id` and `team_id`, `p12` with `password`, or `certificate` with
/// `private_key`. For FCM: `service_account`. For Web Push: `subject`, from which the server makes a key
/// unless `vapid_private_key` has one.
public struct CredentialRequest: Sendable, Hashable, Codable {
    /// The provider.
    public var platform: PlatformName
    /// The provider's environment.
    public var environment: EnvironmentName?
    /// The app's bundle id.
    public var bundleID: String?
    /// The text of the `.p8` file.
    public var p8: String?
    /// The signing key's id.
    public var keyID: String?
    /// The team's id.
    public var teamID: String?
    /// The `.p12` file as base64.
    public var p12: String?
    /// The password of the `.p12` file.
    public var password: String?
    /// The certificate with its chain as PEM.
    public var certificate: String?
    /// The certificate's private key as PEM.
    public var privateKey: String?
    /// The object in the service account's JSON file.
    public var serviceAccount: JSONValue?
    /// Whom push services may write to: `mailto:` or an https page (RFC 8292, section 2.1).
    public var subject: String?
    /// A VAPID key made elsewhere: the private half, 32 bytes as base64url.
    public var vapidPrivateKey: String?
    /// Whether a new VAPID key takes the place of the present one.
    public var isRotation: Bool?
    /// Another address than the provider's own.
    public var url: String?
    /// PEM certificates to trust there.
    public var trust: String?

    /// A request from its parts; the form's fields are set afterwards.
    public init(platform: PlatformName, environment: EnvironmentName? = nil, bundleID: String? = nil) {
        self.platform = platform
        self.environment = environment
        self.bundleID = bundleID
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case platform, environment
        case bundleID = "bundle_id"
        case p8
        case keyID = "key_id"
        case teamID = "team_id"
        case p12, password, certificate
        case privateKey = "private_key"
        case serviceAccount = "service_account"
        case subject
        case vapidPrivateKey = "vapid_private_key"
        case isRotation = "rotate"
        case url, trust
    }
}
