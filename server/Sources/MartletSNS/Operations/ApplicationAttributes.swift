import Foundation
import MartletCore
import MartletWire

/// What a call sets about a platform application.
struct ApplicationAttributes: Sendable {
    static let team = "ApplePlatformTeamID"
    static let bundle = "ApplePlatformBundleID"
    private static let method = "AuthenticationMethod"
    /// What names a topic that is told of an application's endpoints.
    static let events: Set = [
        "EventEndpointCreated", "EventEndpointDeleted", "EventEndpointUpdated", "EventDeliveryFailure",
    ]

    /// `PlatformCredential` and `PlatformPrincipal`, as they were sent.
    private var credential: String?
    private var principal: String?
    /// Apple's ids, which a signing key needs beside it.
    var teamID: String?
    var bundleID: String?
    /// Whether somebody may publish to its endpoints.
    private(set) var isEnabled: Bool?
    /// What is kept as it is, by name; `nil` takes it away.
    private var kept: [String: String?] = [:]

    /// Reads them.
    ///
    /// - Throws: `InvalidParameter` for a name that is none of them, or a value that one cannot have.
    init(_ entries: [FormEntry<String>], in scope: ARNScope) throws(SNSError) {
        for entry in entries { try read(entry.key, entry.value, in: scope) }
    }

    private mutating func read(_ name: String, _ value: String, in scope: ARNScope) throws(SNSError) {
        switch name {
        case "PlatformCredential": credential = try Self.text(name, value, limit: Self.longestSecret)
        case "PlatformPrincipal": principal = try Self.text(name, value, limit: Self.longestSecret)
        case Self.team:
            teamID = try Self.text(name, value, limit: Self.longestID)
            keep(name, value)
        case Self.bundle:
            bundleID = try Self.text(name, value, limit: Self.longestID)
            keep(name, value)
        case "Enabled": isEnabled = try Self.flag(name, value)
        case _ where Self.events.contains(name):
            if !value.isEmpty { _ = try TopicARN(value, parameter: name, in: scope) }
            keep(name, value)
        case "SuccessFeedbackRoleArn", "FailureFeedbackRoleArn":
            keep(name, try Self.text(name, value, limit: Self.longestID))
        case "SuccessFeedbackSampleRate":
            guard let rate = Int(value), (0...100).contains(rate), value == String(rate) else {
                throw .attributes("Invalid value for attribute: \(name): must be a number from 0 to 100")
            }
            keep(name, value)
        default: throw .attributes("Invalid attribute name: \(name.excerpt)")
        }
    }

    /// An empty value takes one away.
    private mutating func keep(_ name: String, _ value: String) {
        kept.updateValue(value.isEmpty ? nil : value, forKey: name)
    }

    /// What the platform is to be authenticated with; `nil` when nothing of it is set.
    ///
    /// - Throws: `InvalidParameter` when one of the two is there without the other.
    func credential(for kind: PlatformApplication.Kind) throws(SNSError) -> ApplicationCredential? {
        guard let credential else {
            if principal != nil { throw .attributes("PlatformPrincipal attribute provided without PlatformCredential") }
            return nil
        }
        let given = ApplicationCredential(credential: credential, principal: principal)
        // A service account names itself, and a .p12 need not have a password.
        guard principal != nil || kind.isGoogle || (kind.isApple && given.isArchive) else {
            throw .attributes("PlatformCredential attribute provided without PlatformPrincipal")
        }
        guard !credential.isEmpty else { throw .invalidCredentials }
        return given
    }

    /// What is kept of an application of this kind, with how it authenticates where no provider says so.
    func kept(for kind: PlatformApplication.Kind) -> [String: String?] {
        guard kind.isGoogle, let credential else { return kept }
        let isAccount = ApplicationCredential(credential: credential, principal: nil).isServiceAccount
        return kept.merging([Self.method: isAccount ? "Token" : "Key"]) { $1 }
    }

    /// What is shown of an application.
    static func shown(
        _ application: PlatformApplication,
        _ credential: CredentialSummary?
    ) -> [(key: String, value: String)] {
        var values = application.attributes
        values["Enabled"] = String(application.isEnabled)
        if application.kind.isApple, let credential {
            values[method] = credential.kind == .token ? "Token" : "Certificate"
            if credential.kind == .token {
                values[team] = credential.teamID
                values[bundle] = credential.topic
            }
            values["AppleCertificateExpiryDate"] = credential.expiresAt.map { UTCTime($0).description }
        }
        return values.sorted { $0.key < $1.key }.map { (key: $0.key, value: $0.value) }
    }

    /// How long a key, a certificate with its chain or an archive of both may be. Ours: the largest have a tenth of it.
    private static let longestSecret = 65_536
    /// How long ids and names of roles may be: the longest that AWS allows of roles' names.
    private static let longestID = 2_048

    private static func text(_ name: String, _ value: String, limit: Int) throws(SNSError) -> String {
        guard value.utf8.count <= limit else {
            throw .attributes(
                "Invalid value for attribute: \(name): must be at most \(limit) bytes long in UTF-8 encoding"
            )
        }
        return value
    }

    /// `true` or `false`, in any case.
    static func flag(_ name: String, _ value: String) throws(SNSError) -> Bool {
        switch value.lowercased() {
        case "true": true
        case "false": false
        default: throw .attributes("Invalid value for attribute: \(name): must be true or false")
        }
    }
}

extension SNSError {
    /// What is wrong with a map of attributes.
    static func attributes(_ reason: String) -> SNSError { .invalidParameter("Attributes", reason: reason) }

    /// A key or certificate that the platform's service would not take.
    static let invalidCredentials = attributes("Platform credentials are invalid")
}

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

    /// Whether it is a service account, a JSON object; what Google had before it was a key of letters and digits.
    var isServiceAccount: Bool { credential.first { !$0.isWhitespace } == "{" }

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
