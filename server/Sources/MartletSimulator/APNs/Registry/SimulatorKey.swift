import Crypto

/// A provider authentication key as the simulated developer account knows it.
package struct SimulatorKey: Sendable {
    /// The `kid` of the tokens that it signs, ten characters at Apple.
    package var keyID: String
    /// The `iss` of the tokens that it signs.
    package var teamID: String
    /// The environment that the key is limited to; `nil` for both.
    package var environment: APNsEnvironment?
    /// The bundle ids that the key is limited to; `nil` for all of the team's.
    package var topics: [String]?

    let publicKey: P256.Signing.PublicKey

    /// Reads a P-256 key.
    ///
    /// - Parameter pem: a public key (`PUBLIC KEY`) or the `.p8` itself (`PRIVATE KEY`), of which only the public
    ///   half is kept.
    /// - Throws: `SimulatorError` when an id is empty or the text is no P-256 key.
    package init(
        keyID: String,
        teamID: String,
        pem: String,
        environment: APNsEnvironment? = nil,
        topics: [String]? = nil
    ) throws {
        guard !keyID.isEmpty else { throw SimulatorError("the key has no key id", field: "keyID") }
        guard !teamID.isEmpty else { throw SimulatorError("the key has no team id", field: "teamID") }
        if let key = try? P256.Signing.PublicKey(pemRepresentation: pem) {
            publicKey = key
        } else if let key = try? P256.Signing.PrivateKey(pemRepresentation: pem) {
            publicKey = key.publicKey
        } else {
            throw SimulatorError(
                "the key is neither a P-256 public key nor a P-256 private key in PEM",
                hint: "Give the .p8 file's text, or what `openssl ec -in key.p8 -pubout` prints.",
                field: "key"
            )
        }
        self.keyID = keyID
        self.teamID = teamID
        self.environment = environment
        self.topics = topics
    }
}

/// An app of the simulated developer account.
package struct SimulatorApp: Sendable, Equatable {
    /// The bundle id: the topic without a push type's suffix.
    package var topic: String
    /// The team whose keys may push to it.
    package var teamID: String

    /// - Throws: `SimulatorError` when the topic is no bundle id or the team is empty.
    package init(topic: String, teamID: String) throws {
        guard APNsCheck.isWellFormedTopic(topic) else {
            throw SimulatorError(
                "the topic is not a bundle id",
                hint: "Letters, digits, hyphens and full stops, as in com.example.app.",
                field: "topic"
            )
        }
        guard !teamID.isEmpty else { throw SimulatorError("the app has no team id", field: "teamID") }
        self.topic = topic
        self.teamID = teamID
    }
}

/// A device token with what is known of it.
package struct SimulatorDevice: Sendable, Equatable {
    /// Whether the token still works.
    package enum State: Sendable, Equatable {
        /// Pushes are accepted.
        case active
        /// 410 Unregistered, since this time in milliseconds since 1970.
        case unregistered(since: Int64)
        /// 410 ExpiredToken, since this time in milliseconds since 1970.
        case expired(since: Int64)
    }

    /// Hexadecimal, in lower case.
    package var token: String
    /// The bundle id (or whole topic) that it was issued for; `nil` for any.
    package var topic: String?
    /// The environment that it was issued in; `nil` for both.
    package var environment: APNsEnvironment?
    /// Whether it still works.
    package var state: State

    /// - Throws: `SimulatorError` when the token is no well-formed device token (64 to 200 hexadecimal digits).
    package init(
        token: String,
        topic: String? = nil,
        environment: APNsEnvironment? = nil,
        state: State = .active
    ) throws {
        guard APNsCheck.isWellFormedToken(token.utf8) else {
            throw SimulatorError(
                "the token is not a device token",
                hint: "64 to 200 hexadecimal digits, an even number of them.",
                field: "token"
            )
        }
        self.token = token.lowercased()
        self.topic = topic
        self.environment = environment
        self.state = state
    }
}
