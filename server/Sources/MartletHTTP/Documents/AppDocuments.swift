import MartletCore
import MartletWire

extension AppRequest: Documented {
    static let schema = document("AppRequest") { field in
        switch field {
        case .name: (.appName, "Unique on the server: 1 to 100 characters of A–Z, a–z, 0–9, '.', '_', '-'.")
        case .identity: (.document(IdentityRequest.self), "How SDK calls say who the user is.")
        }
    }
}

extension AppUpdate: Documented {
    static let schema = document("AppUpdate") { field in
        switch field {
        case .name: (.appName, "The new name.")
        case .identity: (.document(IdentityRequest.self), "What changes; absent fields stay.")
        case .badgeSync: (.boolean, "Whether reading on one device sends the new badge to the others.")
        case .snsUserPointer:
            (
                .string(limit: 256).orNull,
                "Where an SNS endpoint's CustomUserData has the user's id, as a JSON Pointer such as /user_uid."
            )
        }
    }
}

extension IdentityRequest: Documented {
    static let schema = document("IdentityRequest") { field in
        switch field {
        case .mode: (.words(of: IdentityMode.self), "'signed' asks for a user token, 'asserted' does not.")
        case .issuer: (.string(limit: 512).orNull, "The 'iss' claim of the user tokens.")
        case .audience: (.string(limit: 512).orNull, "The 'aud' claim of the user tokens.")
        case .secret:
            (.string(limit: 1024).of(32...1024).orNull, "The shared secret of HS256 tokens, at least 32 bytes.")
        case .jwks: (.map(of: .any).orNull, "The identity provider's JSON Web Key Set.")
        case .jwksURL: (.string(limit: 2048).orNull, "Where the key set is published, over https.")
        }
    }
}

extension AppResponse: Documented {
    static let schema = document("App") { field in
        switch field {
        case .id: (.uuid, "The id.")
        case .name: (.string, "The name.")
        case .identity: (.document(IdentityResponse.self), "How SDK calls say who the user is.")
        case .badgeSync: (.boolean, "Whether reading on one device sends the new badge to the others.")
        case .snsUserPointer: (.string, "Where an SNS endpoint's CustomUserData has the user's id.")
        case .createdAt: (.time, "When it was made.")
        }
    }
}

extension IdentityResponse: Documented {
    static let schema = document("Identity") { field in
        switch field {
        case .mode: (.words(of: IdentityMode.self), "Whether the app's own word is enough.")
        case .issuer: (.string, "The 'iss' claim of the user tokens.")
        case .audience: (.string, "The 'aud' claim of the user tokens.")
        case .verification:
            (.words(of: Verification.self), "What user tokens are checked with; absent when none are accepted.")
        case .jwksURL: (.string, "Where the key set is fetched from.")
        }
    }
}

extension CredentialRequest: Documented {
    static let schema = document("CredentialRequest") { field in
        switch field {
        case .platform: (.platform, "The provider.")
        case .environment: (.words(of: EnvironmentName.self), "Absent stores it for each that the provider has.")
        case .bundleID: (.string(limit: 255), "The app's bundle id; absent is read from a certificate.")
        case .p8: (.string, "The text of the .p8 file.")
        case .keyID: (.string, "The signing key's id, 10 characters.")
        case .teamID: (.string, "The team's id, 10 characters.")
        case .p12: (.string, "The bytes of the .p12 file as base64.")
        case .password: (.string, "The password of the .p12 file.")
        case .certificate: (.string, "The certificate with its chain as PEM.")
        case .privateKey: (.string, "The certificate's private key as PEM.")
        case .serviceAccount: (.map(of: .any), "FCM: the object in the service account's JSON file.")
        case .subject: (.string(limit: 256), "Web Push: whom push services may write to, mailto: or https.")
        case .vapidPrivateKey: (.string(limit: 64), "Web Push: a VAPID key made elsewhere, 32 bytes as base64url.")
        case .isRotation: (.boolean, "Web Push: whether a new key takes the place of the present one, which is kept.")
        case .url: (.string(limit: 2048), "Another address than the provider's own: https://host:port.")
        case .trust: (.string, "PEM certificates to trust at that address.")
        }
    }
}

extension CredentialResponse: Documented {
    static let schema = document("Credential") { field in
        switch field {
        case .platform: (.platform, "The provider.")
        case .environment: (.words(of: EnvironmentName.self), "The provider's environment.")
        case .kind: (.words(of: CredentialKind.self), "How it authenticates.")
        case .bundleID: (.string, "APNs: the bundle id.")
        case .projectID: (.string, "FCM: the Firebase project's id.")
        case .clientEmail: (.string, "FCM: the service account's address.")
        case .publicKey: (.string, "Web Push: the VAPID key that browsers subscribe with.")
        case .subject: (.string, "Web Push: whom push services may write to.")
        case .keyID: (.string, "The signing key's id.")
        case .teamID: (.string, "The team's id.")
        case .expiresAt: (.time, "When a certificate ceases to be valid.")
        case .url: (.string, "Another address than the provider's own.")
        case .createdAt: (.time, "When it was stored.")
        }
    }
}

extension PauseResponse: Documented {
    static let schema = document("Pause") { field in
        switch field {
        case .platform: (.platform, "The provider.")
        case .environment: (.words(of: EnvironmentName.self), "The provider's environment.")
        case .reason: (.string, "The provider's reason.")
        case .reasonCode: DeliveryRow.reasonCode
        case .advice: (.string, "What to change.")
        case .since: (.time, "Since when.")
        }
    }
}

extension Schema {
    /// A provider's word, or that of the operating system that it is for.
    static let platform = Schema.words(of: PlatformName.self, or: EventPlatform.allCases.map(\.rawValue))
    /// An app's own name.
    static let appName = Schema.string.of(1...100, "^[A-Za-z0-9._-]+$")
    /// The customer's own id for a person.
    static let userID = Schema.string(limit: 256).of(1...256, #"^[^\u0000-\u001F\u007F-\u009F]+$"#)
    /// What a category is found by.
    static let categoryKey = Schema.string(limit: 64).of(1...64, "^[a-z0-9_.-]+$")
    /// One of the server's own topics, or of an app's.
    static let topicName = Schema.string(limit: 256).of(1...256, "^[A-Za-z0-9_-]+$")
}
