import Crypto
import Foundation
import MartletCore
import MartletWire

/// Puts what can be seen of a VAPID key without a push into words for the operator; pure.
enum WebPushDiagnosis {
    /// What is found about key and subject.
    static func findings(_ opened: OpenedCredential, now: Timestamp) -> [Finding] {
        do throws(Failure) {
            let secret = try WebPushSecret(bytes: opened.secret)
            return [try key(secret, opened.credential.summary, now), subject(secret)]
        } catch {
            return [Finding(.problem, "webpush VAPID key", error.detail.message, advice: error.detail.hint)]
        }
    }

    private static func key(
        _ secret: WebPushSecret,
        _ summary: CredentialSummary,
        _ now: Timestamp
    ) throws(Failure) -> Finding {
        let name = "webpush VAPID key"
        let keys = try secret.keysByID()
        guard let id = summary.keyID, let key = keys[id], key.publicKey == summary.topic else {
            return Finding(
                .problem,
                name,
                "The stored keys do not have the one that browsers are given.",
                advice: rotate
            )
        }
        guard
            let token = try? VAPIDToken.make(key: key, origin: "https://example.com", subject: secret.subject, at: now),
            verifies(token, key)
        else { return Finding(.problem, name, "The key \(id) cannot sign.", advice: rotate) }
        let older = keys.count - 1
        let message =
            switch older {
            case 0: "The key \(id) signs."
            case 1: "The key \(id) signs; 1 older key is kept for old subscriptions."
            default: "The key \(id) signs; \(older) older keys are kept for old subscriptions."
            }
        return Finding(.ok, name, message)
    }

    private static func subject(_ secret: WebPushSecret) -> Finding {
        do throws(Failure) {
            return Finding(
                .ok,
                "webpush subject",
                "Push services may write to \(try VAPIDSubject.check(secret.subject))."
            )
        } catch {
            return Finding(.problem, "webpush subject", error.detail.message, advice: error.detail.hint)
        }
    }

    private static func verifies(_ token: VAPIDToken, _ key: VAPIDKey) -> Bool {
        let parts = token.text.split(separator: ".")
        guard parts.count == 3, let bytes = Base64URL.decode(parts[2]),
            let signature = try? P256.Signing.ECDSASignature(rawRepresentation: bytes)
        else { return false }
        return key.privateKey.publicKey.isValidSignature(signature, for: Data("\(parts[0]).\(parts[1])".utf8))
    }

    private static let rotate = "Rotate the key: martlet apps credentials rotate-vapid APP."
}
