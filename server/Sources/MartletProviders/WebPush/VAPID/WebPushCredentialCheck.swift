import MartletCore
import MartletWire

/// Makes, takes over and rotates VAPID keys, before they are stored.
enum WebPushCredentialCheck {
    /// What may be shown, and the bytes to seal. The topic is the present public key: by it push services know the app.
    ///
    /// Without a key of the caller's and without a rotation the keys stay as they were, and one is made where there were
    /// none. A key that takes the place of another comes first, and the others are kept: subscriptions are bound to the
    /// key that they were made with.
    ///
    /// - Throws: `Failure` naming the field.
    static func check(_ draft: CredentialDraft.Secret.WebPush, url: String?, trust: String?) throws(Failure)
        -> CheckedCredential
    {
        guard url == nil, trust == nil else {
            throw .invalid(
                url == nil ? "trust" : "url",
                "A Web Push credential has no address: each subscription has its own.",
                hint: "To send to a simulator map its origin with the setting webpush.origins."
            )
        }
        let before = try draft.previous.map { bytes throws(Failure) in try WebPushSecret(bytes: bytes) }
        guard let said = draft.subject ?? before?.subject else {
            throw Failure(
                .malformedRequest,
                "The field is missing: push services want to know whom to write to.",
                hint: "For example mailto:push@example.com.",
                field: "subject"
            )
        }
        let subject = try VAPIDSubject.check(said)
        var keys = before?.keys ?? []
        if let text = draft.privateKey {
            let given = try VAPIDKey(base64URL: text).base64URL
            keys = [given] + keys.filter { $0 != given }
        } else if draft.isRotation || keys.isEmpty {
            keys.insert(VAPIDKey().base64URL, at: 0)
        }
        keys = Array(keys.prefix(WebPushSecret.keyLimit))
        let present = try VAPIDKey(base64URL: keys[0])  // not empty: one was made above
        let summary = CredentialSummary(
            kind: .vapid,
            topic: present.publicKey,
            keyID: present.id,
            teamID: subject,
            expiresAt: nil
        )
        return CheckedCredential(summary: summary, secret: try WebPushSecret(subject: subject, keys: keys).bytes())
    }
}
