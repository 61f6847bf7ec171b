import Crypto
public import MartletWire

/// An operator who is signed in, in one browser.
public struct OperatorSession: Sendable, Hashable {
    /// The key inside the store.
    public var row: RowID<OperatorSession>
    /// The id outside; it opens nothing.
    public var id: PublicID
    /// Whose it is, as they are now.
    public var owner: Operator
    /// From where they signed in.
    public var address: String
    /// What the browser said that it is.
    public var userAgent: String
    package var createdAt: Timestamp
    /// When it was used last, to ``noteInterval``.
    public var usedAt: Timestamp

    /// How long it lives unused.
    public static let idleLimit: Duration = .seconds(12 * 3_600)
    /// How long it lives in all.
    public static let wholeLimit: Duration = .seconds(7 * 86_400)
    /// How often its use is written at most.
    public static let noteInterval: Duration = .seconds(60)
    /// How many an operator has at most; one more ends the oldest. Ours: more than somebody has browsers.
    package static let limit = 50

    package init(
        row: RowID<OperatorSession>,
        id: PublicID,
        owner: Operator,
        address: String,
        userAgent: String,
        createdAt: Timestamp,
        usedAt: Timestamp
    ) {
        self.row = row
        self.id = id
        self.owner = owner
        self.address = address
        self.userAgent = userAgent
        self.createdAt = createdAt
        self.usedAt = usedAt
    }

    /// When a session ends if it is not used again.
    package static func end(createdAt: Timestamp, usedAt: Timestamp) -> Timestamp {
        min(usedAt + idleLimit, createdAt + wholeLimit)
    }

    /// Whether it opens anything.
    public func isLive(at now: Timestamp) -> Bool {
        owner.disabledAt == nil && now < OperatorSession.end(createdAt: createdAt, usedAt: usedAt)
    }

    /// Whether its use is to be written.
    package func isNoteDue(at now: Timestamp) -> Bool { now - usedAt >= OperatorSession.noteInterval }
}

/// A session on its way into the store.
public struct SessionDraft: Sendable, Hashable {
    /// Who signs in, with the password that was checked: the session is not made when that has changed.
    public var owner: Operator
    /// What is stored of the secret.
    public var hash: SecretHash
    package var address: String
    package var userAgent: String
    /// Of the secret by which the browser is known when the session has ended.
    package var browser: SecretHash?

    /// The most characters that are kept of what a browser says.
    package static let userAgentLimit = 300

    package init(
        owner: Operator,
        hash: SecretHash,
        address: String,
        userAgent: String,
        browser: SecretHash? = nil
    ) {
        self.browser = browser
        self.owner = owner
        self.hash = hash
        self.address = address
        let shown = userAgent.unicodeScalars.filter { !String($0).hasControlCharacters }
        self.userAgent = String(String.UnicodeScalarView(shown.prefix(SessionDraft.userAgentLimit)))
    }
}

/// A browser in which an operator has signed in, or an address from which, whatever browsers were used there later.
public struct KnownBrowser: Sendable, Hashable {
    /// Of the secret that it keeps; of an address its own, which is no secret's.
    package var hash: SecretHash
    /// Of a browser the last one.
    package var address: String

    /// How many of an operator's are known; one more ends the one that was used longest ago. Ours: with each sign-in come
    /// a browser and an address.
    package static let limit = 2 * OperatorSession.limit

    package init(hash: SecretHash, address: String) { (self.hash, self.address) = (hash, address) }

    /// An address by itself. A secret has no space.
    package init(address: String) { self.init(hash: SecretHash(of: "address \(address)"), address: address) }
}

/// What a browser has of a session: 128 random bits, and what follows from them.
public struct SessionSecret: Sendable {
    /// 22 characters of base64url, for the cookie.
    public let text: String

    /// Makes a new one.
    public init() { text = Secret(prefix: "", bits: 128).text }

    /// Takes what a cookie holds; `nil` when it cannot be one.
    public init?(_ text: String) {
        guard text.utf8.count == 22, Base64URL.decode(text)?.count == 16 else { return nil }
        self.text = text
    }

    /// What is stored of it.
    package var hash: SecretHash { SecretHash(of: text) }

    /// What each form of the session carries, so that another site's form does nothing.
    public var csrfToken: String {
        let key = SymmetricKey(data: Array(text.utf8))
        return Secret.base64URL(Array(HMAC<SHA256>.authenticationCode(for: Array("csrf".utf8), using: key)))
    }

    /// Whether a form's token is this session's, found out in a time that does not depend on where it differs.
    public func accepts(csrfToken token: String) -> Bool {
        isSecretlyEqual(Array(token.utf8), Array(csrfToken.utf8))
    }
}

extension SessionSecret: CustomStringConvertible, CustomReflectable {
    /// Nothing of the secret.
    public var description: String { "a session's secret" }

    /// Nothing of the secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
