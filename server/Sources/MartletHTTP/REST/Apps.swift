import Foundation
import MartletCore
import MartletStore
import MartletWire

/// Apps: made, shown, changed and deleted by administrators.
extension MartletAPI {
    func createApp(_ request: AppRequest, _ call: Call) async throws -> Reply<AppResponse> {
        guard call.caller.key?.app == nil else {
            throw Failure(.forbidden, "A key that is bound to one app cannot create apps.")
        }
        try App.validate(name: request.name)
        let change = try await IdentityChange(request.identity ?? IdentityRequest())
        let identity = try change.applied(to: Identity())
        var app = try await store.createApp(name: request.name, identity: identity.identity)
        if let secret = identity.secret {
            // The secret is sealed for the app's id, which exists only now. Until then no user token is accepted.
            app = try await store.updateApp(app.row, name: nil, identity: try sealed(identity, secret, app))
        }
        let made = AppResponse(app)
        await record("app.create", of: AuditSubject(app), by: call.caller, app: app.row, after: .shown(made))
        return Reply(made)
    }

    func listApps(_ call: Call) async throws -> List<AppResponse> {
        let page = try call.page()
        if let own = try await optionalApp(nil, for: call.caller) { return List([AppResponse(own)]) }
        return call.list(try await store.apps(page), AppResponse.init)
    }

    func showApp(_ call: Call) async throws -> Reply<AppResponse> { Reply(AppResponse(try await app(of: call))) }

    func updateApp(_ request: AppUpdate, _ call: Call) async throws -> Reply<AppResponse> {
        let app = try await app(of: call)
        if let name = request.name { try App.validate(name: name) }
        var identity: Identity?
        if let change = request.identity {
            let applied = try await IdentityChange(change).applied(to: app.identity)
            identity = try applied.secret.map { try sealed(applied, $0, app) } ?? applied.identity
        }
        let settings = try AppSettings(request, of: app)
        let changed = try await store.updateApp(app.row, name: request.name, identity: identity, settings: settings)
        var after = JSONValue.shown(AppResponse(changed))
        // The shared secret is not shown, and that it is another one is.
        if request.identity?.secret.value != nil { after = after.with("has_new_secret", true) }
        await record(
            "app.update",
            of: AuditSubject(app),
            by: call.caller,
            app: app.row,
            before: .shown(AppResponse(app)),
            after: after
        )
        return Reply(AppResponse(changed))
    }

    func deleteApp(_ call: Call) async throws -> Nothing {
        let app = try await app(of: call)
        try await store.deleteApp(app.row)
        let before = JSONValue.shown(AppResponse(app))
        await record("app.delete", of: AuditSubject(app), by: call.caller, app: app.row, before: before)
        return Nothing()
    }

    private func sealed(_ change: IdentityChange.Applied, _ secret: String, _ app: App) throws -> Identity {
        var identity = change.identity
        let purpose = Identity.purpose(of: app.id)
        identity.verification = .secret(sealed: try vault.seal(Array(secret.utf8), for: purpose))
        return identity
    }
}

/// What a request changes about an app's identity, checked.
struct IdentityChange {
    /// The identity afterwards, but for a secret that is yet to be sealed.
    struct Applied {
        /// The identity as it can be stored now.
        var identity: Identity
        /// The secret to seal.
        var secret: String?
    }

    private let request: IdentityRequest
    private let verification: Identity.Verification?

    /// Checks a request.
    ///
    /// - Throws: `Failure` naming the field.
    init(_ request: IdentityRequest) async throws(Failure) {
        self.request = request
        let (secret, set, url) = (request.secret.value, request.jwks.value, request.jwksURL.value)
        guard [secret != nil, set != nil, url != nil].filter({ $0 }).count <= 1 else {
            throw .invalid(
                "identity",
                "User tokens can be checked in one way only.",
                hint: "Send secret, jwks or jwks_url."
            )
        }
        for (field, value) in [("issuer", request.issuer), ("audience", request.audience)] where value.value == "" {
            throw .invalid("identity.\(field)", "It must not be empty.", hint: "Send null to clear it.")
        }
        if let secret { try VerificationSettings.validate(secret: secret, field: "identity.secret") }
        if let url {
            try VerificationSettings.validate(keySetURL: url, field: "identity.jwks_url")
            verification = .keySetURL(url)
        } else if let set {
            guard let bytes = try? set.json() else { throw .invalid("identity.jwks", "It is not a key set.") }
            let json = String(decoding: bytes, as: UTF8.self)
            try await VerificationSettings.validate(keySet: json, field: "identity.jwks")
            verification = .keySet(json: json)
        } else {
            verification = nil
        }
    }

    /// The identity afterwards.
    ///
    /// - Throws: `Failure` when it asks for user tokens and says not how they are checked.
    func applied(to old: Identity) throws(Failure) -> Applied {
        var identity = old
        if let mode = request.mode { identity.mode = mode }
        switch request.issuer {
        case .unset: break
        case .null: identity.issuer = nil
        case .value(let issuer): identity.issuer = issuer
        }
        switch request.audience {
        case .unset: break
        case .null: identity.audience = nil
        case .value(let audience): identity.audience = audience
        }
        if clears(identity.verification) { identity.verification = nil }
        if let verification { identity.verification = verification }
        guard identity.mode == .asserted || identity.verification != nil || request.secret.value != nil else {
            throw .invalid(
                "identity.mode",
                "Signed identity needs a way to check user tokens.",
                hint: "Send secret, jwks or jwks_url with it."
            )
        }
        return Applied(identity: identity, secret: request.secret.value)
    }

    /// Whether the request says `null` for what user tokens are checked with now; for another way it changes nothing.
    private func clears(_ verification: Identity.Verification?) -> Bool {
        switch verification {
        case .secret: request.secret == .null
        case .keySet: request.jwks == .null
        case .keySetURL: request.jwksURL == .null
        case nil: false
        }
    }
}

extension AppSettings {
    /// The settings after a change; `nil` where it names none.
    ///
    /// - Throws: `Failure` naming the field.
    fileprivate init?(_ request: AppUpdate, of app: App) throws(Failure) {
        guard request.badgeSync != nil || request.snsUserPointer != .unset else { return nil }
        self = app.settings
        hasBadgeSync = request.badgeSync ?? hasBadgeSync
        switch request.snsUserPointer {
        case .unset: break
        case .null: snsUserPointer = nil
        case .value(let text):
            guard let pointer = JSONPointer(text) else {
                throw .invalid(
                    "sns_user_pointer",
                    "It is not a JSON Pointer (RFC 6901) of at most \(JSONPointer.limit) bytes.",
                    hint: "A pointer begins with a slash: /user_uid"
                )
            }
            snsUserPointer = pointer
        }
    }
}

extension AppResponse {
    init(_ app: App) {
        self.init(
            id: app.id,
            name: app.name,
            identity: IdentityResponse(app.identity),
            badgeSync: app.settings.hasBadgeSync,
            snsUserPointer: app.settings.snsUserPointer?.text,
            createdAt: UTCTime(app.createdAt)
        )
    }
}

extension IdentityResponse {
    init(_ identity: Identity) {
        var url: String?
        let verification: Verification? =
            switch identity.verification {
            case .secret: .secret
            case .keySet: .jwks
            case .keySetURL: .jwksURL
            case nil: nil
            }
        if case .keySetURL(let text) = identity.verification { url = text }
        self.init(
            mode: identity.mode,
            issuer: identity.issuer,
            audience: identity.audience,
            verification: verification,
            jwksURL: url
        )
    }
}
