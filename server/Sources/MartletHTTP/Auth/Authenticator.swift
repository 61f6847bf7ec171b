import Foundation
import HTTPTypes
import MartletCore
import MartletPipeline
import MartletStore
import MartletWire

/// Finds out who asks, from the request's header fields alone, before its body is read.
struct Authenticator: Sendable {
    /// The longest credential that is looked at: 8 KiB, ours; user tokens with many claims have about 2.
    static let longestCredential = 8 * 1024

    private let store: Store
    private let verifier: UserTokenVerifier
    private let clock: any WallClock
    private let keyUses: KeyUses

    /// An authenticator over the store's keys and apps.
    init(store: Store, verifier: UserTokenVerifier, clock: any WallClock, keyUses: KeyUses) {
        self.store = store
        self.verifier = verifier
        self.clock = clock
        self.keyUses = keyUses
    }

    /// Who asks for a route.
    ///
    /// - Throws: `Failure` with ``ErrorCode/unauthorized`` without a valid credential, and with ``ErrorCode/forbidden``
    ///   when a key's scope does not allow the route. It names the header field.
    func caller(for access: Access, headers: HTTPFields) async throws -> Caller {
        if access == .open { return .anyone }
        do { return try await holder(of: headers, for: access) } catch let failure as Failure {
            let isWriteKey = writeKey(headers, for: access) != nil
            let field = isWriteKey ? HeaderName.treasureDataKey : HTTPField.Name.authorization.rawName
            throw failure.at(field)
        }
    }

    private func holder(of headers: HTTPFields, for access: Access) async throws -> Caller {
        guard let credential = try credential(headers, for: access) else {
            throw Failure(
                .unauthorized,
                "No credential was presented.",
                hint: Authenticator.hint(for: access)
            )
        }
        if credential.hasPrefix(APIKey.mark) { return .key(try await key(credential, for: access)) }
        guard access == .devices || access == .user || UserTokenVerifier.isToken(credential) else {
            throw Failure(
                .unauthorized,
                "This is not an API key.",
                hint: "API keys start with '\(APIKey.mark)'; this path takes nothing else."
            )
        }
        let (token, app) = try await user(credential)
        guard access == .devices || access == .user else {
            throw Failure(
                .forbidden,
                "A user token may not do this.",
                hint: access == .registration
                    ? "Send an API key here, and the user's token in the header '\(HeaderName.userToken)'."
                    : "Send 'Authorization: Bearer' with an API key, which starts with '\(APIKey.mark)'."
            )
        }
        return .user(token.subject, app, until: token.expiresAt)
    }

    private static func hint(for access: Access) -> String {
        switch access {
        case .devices: "Send 'Authorization: Bearer' with the user's token, or with an API key."
        case .user: "Send 'Authorization: Bearer' with the user's token."
        case .postback: "Send '\(HeaderName.treasureDataKey)' with an API key."
        default: "Send 'Authorization: Bearer' with an API key."
        }
    }

    /// A user token, and the app that its issuer and audience select.
    ///
    /// - Throws: `Failure` with ``ErrorCode/unauthorized``.
    func user(_ token: String) async throws -> (user: UserToken, app: App) {
        let claims = try verifier.claimsUnverified(token)
        guard let app = try await store.app(.identity(issuer: claims.issuer, audiences: claims.audiences)) else {
            throw Failure(
                .unauthorized,
                "No app accepts user tokens of this issuer and audience.",
                hint: "Set the app's identity: PATCH /api/v1/apps/{app} with issuer, audience and secret or jwks_url."
            )
        }
        return (try await check(token, for: app), app)
    }

    /// The user that a user token speaks for in this app.
    ///
    /// - Throws: `Failure` with ``ErrorCode/unauthorized``.
    func verify(_ token: String, for app: App) async throws -> String {
        try await check(token, for: app).subject
    }

    private func check(_ token: String, for app: App) async throws -> UserToken {
        let checked = try await verifier.verify(token, for: app)
        do {
            try User.validate(id: checked.subject, field: "sub")
        } catch {
            throw Failure(.unauthorized, "The user token's subject cannot be a user id.", hint: error.detail.message)
        }
        return checked
    }

    private func credential(_ headers: HTTPFields, for access: Access) throws(Failure) -> String? {
        if let key = writeKey(headers, for: access) { return key }
        return try bearer(headers, for: access)
    }

    private func writeKey(_ headers: HTTPFields, for access: Access) -> String? {
        guard access == .postback else { return nil }
        let key = HTTPField.Name(HeaderName.treasureDataKey).flatMap { headers[$0] }
        return key.flatMap { $0.utf8.count <= Self.longestCredential ? $0 : nil }
    }

    private func bearer(_ headers: HTTPFields, for access: Access) throws(Failure) -> String? {
        guard let field = headers[.authorization] else { return nil }
        let parts = field.utf8.split(separator: UInt8(ascii: " "), maxSplits: 1, omittingEmptySubsequences: true)
        guard field.utf8.count <= Self.longestCredential, parts.count == 2,
            Self.isScheme(parts[0], "bearer") || access == .ingest && Self.isScheme(parts[0], "td1")
        else {
            throw Failure(
                .unauthorized,
                "The Authorization field is not a bearer credential.",
                hint: "Send 'Authorization: Bearer' and the credential."
            )
        }
        // A field's value has no spaces at its end (RFC 9110, section 5.5), and between the two there may be several.
        return String(Substring(parts[1].drop { $0 == UInt8(ascii: " ") }))
    }

    /// Whether a field begins with a scheme's name, whose case does not count (RFC 9110, section 11.1).
    private static func isScheme(_ word: Substring.UTF8View, _ name: String) -> Bool {
        word.lazy.map { $0 | 0x20 }.elementsEqual(name.utf8)
    }

    private func key(_ text: String, for access: Access) async throws -> APIKey {
        guard let key = try await store.key(.hash(SecretHash(of: text)))?.api else {
            throw Failure(.unauthorized, "The API key is not known, or was revoked.")
        }
        if key.isExpired(at: clock.now()) {
            throw Failure(
                .unauthorized,
                "The API key has expired.",
                hint: "Ask whoever runs the server for another one: martlet keys create."
            )
        }
        keyUses.note(key)
        guard access.admits(key.scope) else {
            throw Failure(
                .forbidden,
                "A key of scope '\(key.scope.rawValue)' may not do this.",
                hint: access == .user
                    ? "This needs a user's token; a send or an admin key names the user: /api/v1/users/{user}/…"
                    : access == .admin ? "This needs an admin key." : "This needs a send or an admin key."
            )
        }
        return key
    }
}
