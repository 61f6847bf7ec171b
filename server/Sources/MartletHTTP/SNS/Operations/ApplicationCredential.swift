import Foundation
import MartletCore

/// What a platform application authenticates with, as its maker gave it.
struct ApplicationCredential: Hashable, Codable {
    /// `PlatformCredential`: a private key, a service account, an archive in base64.
    var credential: String
    /// `PlatformPrincipal`: a key's id, a certificate, an archive's password.
    var principal: String?

    /// What was given.
    init(credential: String, principal: String?) {
        self.credential = credential
        self.principal = principal
    }

    /// What was sealed; `nil` when it is nothing of the kind.
    init?(bytes: [UInt8]) {
        guard let read = try? JSONDecoder().decode(ApplicationCredential.self, from: Data(bytes)) else { return nil }
        self = read
    }

    /// What is sealed.
    var bytes: [UInt8] {
        // Two texts always encode.
        (try? JSONEncoder().encode(self)).map { Array($0) } ?? []
    }

    /// Whether it is an archive (`.p12`) in base64, or a signing key without its first and last line.
    var isArchive: Bool { !Self.isPEM(credential) && decoded != nil }

    /// Whether it is a certificate with its key.
    var isCertificate: Bool { isArchive || principal.map(Self.isPEM) ?? false }

    /// The secret in the form in which APNs' provider takes it; `nil` for a placeholder, which is nothing that could be a
    /// key or a certificate. Clients that are tried out without an Apple account send such ones.
    ///
    /// - Parameters:
    ///   - teamID: with a signing key, Apple's id of the team.
    ///   - bundleID: with a signing key, the app's bundle id.
    /// - Throws: `InvalidParameter` when something that belongs to it is missing.
    func secret(teamID: String?, bundleID: String?) throws(SNSError) -> CredentialDraft.Secret.APNs? {
        if let principal, Self.isPEM(principal) {
            return .pem(certificate: principal, privateKey: credential)
        }
        let isToken = teamID != nil || bundleID != nil
        if let bytes = decoded, !Self.isPEM(credential), !isToken {
            return .pkcs12(bytes: bytes, password: principal ?? "")
        }
        guard Self.isPEM(credential) || decoded != nil else { return nil }
        guard let principal, let teamID, bundleID != nil else { throw .invalidCredentials }
        let pem = Self.isPEM(credential) ? credential : Self.pem(credential)
        return .signingKey(pem: pem, keyID: principal, teamID: teamID)
    }

    /// The fewest bytes of a key in PKCS #8 of the curve that Apple uses: 67. Less is a placeholder.
    private static let fewestBytes = 64

    private var decoded: [UInt8]? {
        guard let data = Data(base64Encoded: credential, options: .ignoreUnknownCharacters) else { return nil }
        // With other characters it was a text, and not base64 with line breaks.
        let isBase64 = credential.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || [0x2B, 0x2F, 0x3D, 0x0A, 0x0D, 0x20].contains(byte)
        }
        return isBase64 && data.count >= Self.fewestBytes ? Array(data) : nil
    }

    private static func isPEM(_ text: String) -> Bool { text.contains("-----BEGIN ") }

    private static func pem(_ base64: String) -> String {
        "-----BEGIN PRIVATE KEY-----\n\(base64.filter { !$0.isWhitespace })\n-----END PRIVATE KEY-----\n"
    }
}
