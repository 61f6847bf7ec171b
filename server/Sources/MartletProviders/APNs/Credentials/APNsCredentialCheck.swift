import Crypto
import Foundation
import MartletCore
import MartletWire

/// Checks what an operator hands over, before it is stored.
enum APNsCredentialCheck {
    /// What may be shown of a credential, and the bytes to seal.
    ///
    /// - Throws: `Failure` with ``ErrorCode/invalidCredential``, or for the topic, the address or the trusted
    ///   certificates, and what to do.
    static func check(_ draft: CredentialDraft, now: Timestamp) throws(Failure) -> CheckedCredential {
        if let url = draft.url { _ = try ServerAddress(url: url) }
        if let trust = draft.trust { _ = try TrustedCertificates(pem: trust) }
        guard case .apns(let secret, let bundleID) = draft.secret else {
            throw .invalid("platform", "The credential is not APNs'.")
        }
        switch secret {
        case .signingKey(let pem, let keyID, let teamID):
            try checkLength(keyID, "key id", field: "key_id")
            try checkLength(teamID, "team id", field: "team_id")
            let key = try SigningKey(pem: pem, keyID: keyID, teamID: teamID)
            let summary = CredentialSummary(
                kind: .token,
                topic: try topic(bundleID),
                keyID: key.keyID,
                teamID: key.teamID,
                expiresAt: nil
            )
            let secret = APNsSecret.signingKey(pem: key.key.pemRepresentation)
            return CheckedCredential(summary: summary, secret: try secret.bytes())
        case .pkcs12(let bytes, let password):
            return try check(CertificateIdentity(pkcs12: bytes, password: password), topic: bundleID, now: now)
        case .pem(let certificate, let privateKey):
            let identity = try CertificateIdentity(certificatePEM: certificate, keyPEM: privateKey)
            return try check(identity, topic: bundleID, now: now)
        }
    }

    /// How many characters Apple's ids have. Shorter ones are taken with a warning, down to the eight that examples have; what
    /// was stored before this was looked at is used as it is.
    static let (idLength, shortestID) = (10, 8)

    private static func checkLength(_ id: String, _ name: String, field: String) throws(Failure) {
        guard !(shortestID...idLength).contains(id.unicodeScalars.count) else { return }
        throw Failure(
            .invalidCredential,
            "The \(name) has \(idLength) letters and digits.",
            hint: "The developer account shows it beside the key, under Keys.",
            field: field
        )
    }

    private static func check(
        _ identity: CertificateIdentity,
        topic asked: String,
        now: Timestamp
    ) throws(Failure) -> CheckedCredential {
        let leaf = identity.leaf
        guard now < leaf.validUntil else {
            throw invalid("The certificate expired on \(day(leaf.validUntil)).")
        }
        guard now >= leaf.validFrom else {
            throw invalid("The certificate is not valid before \(day(leaf.validFrom)).")
        }
        let topic = try topic(asked.isEmpty ? leaf.topics.first ?? "" : asked)
        guard leaf.covers(topic) else {
            throw Failure(
                .invalidCredential,
                "The certificate is not for the topic \(topic).",
                hint: "It is for: \(leaf.topics.prefix(8).joined(separator: ", ")).",
                field: "topic"
            )
        }
        let summary = CredentialSummary(
            kind: .certificate,
            topic: topic,
            keyID: nil,
            teamID: leaf.teamID,
            expiresAt: leaf.validUntil
        )
        let secret = APNsSecret.certificate(chain: identity.chain.map { Data($0) }, key: Data(identity.key))
        var checked = CheckedCredential(summary: summary, secret: try secret.bytes())
        checked.environments = leaf.environments
        return checked
    }

    /// Bundle ids have letters, digits, hyphens and dots; those of management servers are like them.
    private static func topic(_ text: String) throws(Failure) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || byte == 0x2D || byte == 0x2E || byte == 0x5F
        }
        guard isPlain, (1...255).contains(text.utf8.count) else {
            throw .invalid(
                "topic",
                "The topic is the app's bundle id: 1 to 255 letters, digits, hyphens and dots.",
                hint: "For example com.example.app, without any suffix such as .voip."
            )
        }
        return text
    }

    private static func invalid(_ message: String) -> Failure {
        Failure(
            .invalidCredential,
            message,
            hint: "Make a new push certificate in the developer account.",
            field: "certificate"
        )
    }

    /// A day as `2026-01-31`, in UTC.
    static func day(_ moment: Timestamp) -> String {
        let date = Date(timeIntervalSince1970: TimeInterval(moment.seconds))
        return date.formatted(.iso8601.year().month().day())
    }
}
