import MartletCore
import MartletWire

extension AppRequest: Documented {
    static let schema = DocumentSchema(
        "AppRequest",
        [
            .required("name", .string, "Unique on the server: 1 to 100 characters of A–Z, a–z, 0–9, '.', '_', '-'."),
            .optional("identity", .document(IdentityRequest.self), "How SDK calls say who the user is."),
        ]
    )
}

extension AppUpdate: Documented {
    static let schema = DocumentSchema(
        "AppUpdate",
        [
            .optional("name", .string, "The new name."),
            .optional("identity", .document(IdentityRequest.self), "What changes; absent fields stay."),
        ]
    )
}

extension IdentityRequest: Documented {
    static let schema = DocumentSchema(
        "IdentityRequest",
        [
            .optional("mode", .words(of: IdentityMode.self), "'signed' asks for a user token, 'asserted' does not."),
            .optional("issuer", .string(limit: 512).orNull, "The 'iss' claim of the user tokens."),
            .optional("audience", .string(limit: 512).orNull, "The 'aud' claim of the user tokens."),
            .optional("secret", .string(limit: 1024).orNull, "The shared secret of HS256 tokens, at least 32 bytes."),
            .optional("jwks", .map(of: .any).orNull, "The identity provider's JSON Web Key Set."),
            .optional("jwks_url", .string(limit: 2048).orNull, "Where the key set is published, over https."),
        ]
    )
}

extension AppResponse: Documented {
    static let schema = DocumentSchema(
        "App",
        [
            .required("id", .uuid, "The id."),
            .required("name", .string, "The name."),
            .required("identity", .document(IdentityResponse.self), "How SDK calls say who the user is."),
            .required("created_at", .time, "When it was made."),
        ]
    )
}

extension IdentityResponse: Documented {
    static let schema = DocumentSchema(
        "Identity",
        [
            .required("mode", .words(of: IdentityMode.self), "Whether the app's own word is enough."),
            .optional("issuer", .string, "The 'iss' claim of the user tokens."),
            .optional("audience", .string, "The 'aud' claim of the user tokens."),
            .optional("verification", .words(of: Verification.self), "What user tokens are checked with."),
            .optional("jwks_url", .string, "Where the key set is fetched from."),
        ]
    )
}

extension CredentialRequest: Documented {
    static let schema = DocumentSchema(
        "CredentialRequest",
        [
            .required("platform", .platform, "The provider."),
            .optional("environment", .words(of: EnvironmentName.self), "Absent stores it for both."),
            .optional("bundle_id", .string(limit: 255), "The app's bundle id; absent is read from a certificate."),
            .optional("p8", .string, "The text of the .p8 file."),
            .optional("key_id", .string, "The signing key's id."),
            .optional("team_id", .string, "The team's id."),
            .optional("p12", .string, "The bytes of the .p12 file as base64."),
            .optional("password", .string, "The password of the .p12 file."),
            .optional("certificate", .string, "The certificate with its chain as PEM."),
            .optional("private_key", .string, "The certificate's private key as PEM."),
            .optional("url", .string(limit: 2048), "Another address than the provider's own: https://host:port."),
            .optional("trust", .string, "PEM certificates to trust at that address."),
        ]
    )
}

extension CredentialResponse: Documented {
    static let schema = DocumentSchema(
        "Credential",
        [
            .required("platform", .platform, "The provider."),
            .required("environment", .words(of: EnvironmentName.self), "The provider's environment."),
            .required("kind", .words(of: Kind.self), "How it authenticates."),
            .required("bundle_id", .string, "The bundle id."),
            .optional("key_id", .string, "The signing key's id."),
            .optional("team_id", .string, "The team's id."),
            .optional("expires_at", .time, "When a certificate ceases to be valid."),
            .optional("url", .string, "Another address than the provider's own."),
            .required("created_at", .time, "When it was stored."),
        ]
    )
}

extension PauseResponse: Documented {
    static let schema = DocumentSchema(
        "Pause",
        [
            .required("platform", .platform, "The provider."),
            .required("environment", .words(of: EnvironmentName.self), "The provider's environment."),
            .required("reason", .string, "The provider's reason."),
            .required("advice", .string, "What to change."),
            .required("since", .time, "Since when."),
        ]
    )
}

extension Schema {
    /// A provider's word; `ios` is an alias of `apns`.
    static let platform = Schema.words(of: PlatformName.self, or: ["ios"])
}
