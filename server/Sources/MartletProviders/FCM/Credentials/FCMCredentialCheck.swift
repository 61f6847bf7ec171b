import MartletCore
import MartletWire

/// Checks what an operator hands over, before it is stored.
enum FCMCredentialCheck {
    /// What may be shown of a service account, and the bytes to seal.
    ///
    /// - Throws: `Failure` naming the member of the account, the address or the trusted certificates.
    static func check(_ draft: CredentialDraft, _ settings: FCMSettings) throws(Failure) -> CheckedCredential {
        guard case .fcm(let text) = draft.secret else {
            throw .invalid("platform", "The credential is not FCM's.")
        }
        if let url = draft.url { _ = try ServerAddress(url: url) }
        if let trust = draft.trust { _ = try TrustedCertificates(pem: trust) }
        let hosts = tokenHosts(url: draft.url, isURLOfOperator: draft.isURLOfOperator, settings)
        let account = try ServiceAccount(json: text, allowing: hosts)
        let summary = CredentialSummary(
            kind: .serviceAccount,
            topic: account.projectID,
            keyID: account.keyID,
            teamID: account.clientEmail,
            expiresAt: nil
        )
        return CheckedCredential(summary: summary, secret: account.secret)
    }

    /// The hosts of token endpoints beside Google's: those of the setting, and where the operator has named another
    /// address in place of FCM's, that one, because a simulator gives tokens too.
    static func tokenHosts(url: String?, isURLOfOperator: Bool, _ settings: FCMSettings) -> Set<String> {
        var hosts = settings.tokenHosts
        let named = url == nil ? settings.url : isURLOfOperator ? url : nil
        if let named, let address = try? ServerAddress(url: named) { hosts.insert(address.host.lowercased()) }
        return hosts
    }
}
