import Crypto
import Foundation
import MartletCore
import MartletWire

@testable import MartletProviders

/// A browser that subscribes, and opens what it gets with code of its own.
struct TestBrowser: Sendable {
    let key: P256.KeyAgreement.PrivateKey
    let auth: [UInt8]

    init(key: P256.KeyAgreement.PrivateKey = .init(), auth: [UInt8] = Array(1...16)) {
        (self.key, self.auth) = (key, auth)
    }

    func subscription(vapidKeyID: String = "AAAAAAAAAAA") -> PushSubscription {
        let bytes = Array(key.publicKey.x963Representation) + auth
        return PushSubscription(bytes: bytes, vapidKeyID: vapidKeyID)!  // 81 bytes
    }

    /// What a sealed body says, with the padding behind it taken off, and how long it was with it.
    func open(_ body: [UInt8]) throws -> (text: [UInt8], paddedCount: Int) {
        let (salt, sender) = (body[0..<16], body[21..<86])
        let own = Array(key.publicKey.x963Representation)
        let secret = try key.sharedSecretFromKeyAgreement(with: .init(x963Representation: sender))
        let input = secret.hkdfDerivedSymmetricKey(
            using: SHA256.self,
            salt: auth,
            sharedInfo: Array("WebPush: info\0".utf8) + own + sender,
            outputByteCount: 32
        )
        func derive(_ name: String, _ count: Int) -> SymmetricKey {
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: input,
                salt: Array(salt),
                info: Array("Content-Encoding: \(name)\0".utf8),
                outputByteCount: count
            )
        }
        let nonce = derive("nonce", 12).withUnsafeBytes { Array($0) }
        let box = try AES.GCM.SealedBox(combined: nonce + body[86...])
        var text = Array(try AES.GCM.open(box, using: derive("aes128gcm", 16)))
        let padded = text.count - 1
        while text.last == 0 { text.removeLast() }
        guard text.popLast() == 2 else { throw CancellationError() }
        return (text, padded)
    }
}

/// Makes what the pipeline would read from the store.
enum StoredWebPush {
    static func credential(_ draft: CredentialDraft.Secret.WebPush = .init(subject: "mailto:push@example.com")) throws
        -> OpenedCredential
    {
        let checked = try WebPushCredentialCheck.check(draft, url: nil, trust: nil)
        let credential = Credential(
            row: RowID(1),
            app: RowID(1),
            platform: .webpush,
            environment: .production,
            summary: checked.summary,
            sealed: [],
            url: nil,
            trust: nil,
            createdAt: Timestamp(milliseconds: 0)
        )
        return OpenedCredential(credential: credential, secret: checked.secret)
    }

    static func message(_ submission: Submission) throws -> Message {
        let summary = try credential().credential.summary
        return try WebPushRenderer.render(
            submission,
            context: RenderContext(notification: Rendering.notification, credentials: [summary])
        )
    }

    static func payload(_ submission: Submission) throws -> JSONValue {
        let bytes = try message(submission).payload.filled(badge: nil, deliveryID: Rendering.notification)
        return try JSONValue(json: Data(bytes))
    }
}
