public import MartletWire

/// One mobile application, with its credentials for each platform and environment.
public struct App: Sendable, Hashable {
    /// The key inside the store.
    public var row: RowID<App>
    /// The id outside.
    public var id: PublicID
    /// The operator's name for it, unique on the server.
    public var name: String
    /// How the SDK's calls say who the user is.
    public var identity: Identity
    /// What an operator sets about it.
    public var settings: AppSettings
    /// When it was made.
    public var createdAt: Timestamp

    package init(
        row: RowID<App>,
        id: PublicID,
        name: String,
        identity: Identity,
        settings: AppSettings = AppSettings(),
        createdAt: Timestamp
    ) {
        self.row = row
        self.id = id
        self.name = name
        self.identity = identity
        self.settings = settings
        self.createdAt = createdAt
    }
}

extension App {
    /// Checks a name: 1 to 100 characters of `A–Z a–z 0–9 . _ -`, as it stands in paths and in commands, and neither
    /// `.`, `..` nor a UUID, which mean something else there.
    public static func validate(name: String) throws(Failure) {
        let allowed = name.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || byte == 0x2E || byte == 0x5F || byte == 0x2D
        }
        guard allowed, (1...100).contains(name.utf8.count) else {
            throw .invalid(
                "name",
                "An app's name has 1 to 100 characters of A–Z, a–z, 0–9, '.', '_' and '-'.",
                hint: "The bundle id is a good name: com.example.app"
            )
        }
        guard name != ".", name != "..", PublicID(name) == nil else {
            throw .invalid(
                "name",
                "An app's name is not '.', '..' or a UUID: in a path these mean something else.",
                hint: "The bundle id is a good name: com.example.app"
            )
        }
    }
}

/// How an app finds out which user an SDK call speaks for.
public struct Identity: Sendable, Hashable {
    /// What a user token's signature is checked with.
    public enum Verification: Sendable, Hashable {
        /// A shared secret (HS256), sealed by the vault.
        case secret(sealed: [UInt8])
        /// A JSON Web Key Set given as it is (RFC 7517).
        case keySet(json: String)
        /// Where the identity provider publishes its key set.
        case keySetURL(String)
    }

    /// What an app's shared secret is sealed for.
    package static func purpose(of app: PublicID) -> String { "identity/\(app)" }

    /// Bytes of a shared secret: as many as the hash has (RFC 7518, section 3.2), and an upper bound against mistakes.
    package static let secretBytes = 32...1024

    /// Checks an HS256 secret, taken as the UTF-8 bytes of its text.
    ///
    /// - Throws: `Failure` with ``ErrorCode/invalidValue``, without the secret.
    package static func validate(secret: String, field: String) throws(Failure) {
        guard secretBytes.contains(secret.utf8.count) else {
            throw .invalid(
                field,
                "A secret for HS256 has 32 to 1,024 bytes; this one has \(secret.utf8.count).",
                hint: "Make one with: openssl rand -base64 48"
            )
        }
    }

    /// Whether the app's own word is enough.
    public var mode: IdentityMode
    /// The `iss` claim that user tokens carry; with the audience it selects the app where a call names none.
    public var issuer: String?
    /// The `aud` claim that user tokens carry.
    public var audience: String?
    /// What signatures are checked with; without it no user token is accepted.
    public var verification: Verification?

    package init(
        mode: IdentityMode = .asserted,
        issuer: String? = nil,
        audience: String? = nil,
        verification: Verification? = nil
    ) {
        self.mode = mode
        self.issuer = issuer
        self.audience = audience
        self.verification = verification
    }
}
