import Crypto
import MartletWire
import Testing

@testable import MartletCore

@Suite("Reasons in words of ours")
struct ReasonCodeTests {
    private static let cases: [(reason: String, code: String)] = [
        ("Unregistered", "unregistered"), ("UNREGISTERED", "unregistered"), ("HTTP 410", "unregistered"),
        ("HTTP 404", "unregistered"), ("errno 103", "unregistered"), ("BadDeviceToken", "invalid_token"),
        ("SENDER_ID_MISMATCH", "wrong_app"), ("DeviceTokenNotForTopic", "wrong_app"),
        ("VapidPkHashMismatch", "wrong_app"), ("PayloadTooLarge", "payload_too_large"),
        ("HTTP 413", "payload_too_large"), ("INVALID_ARGUMENT", "invalid_request"), ("HTTP 400", "invalid_request"),
        ("TooManyRequests", "rate_limited"), ("HTTP 429", "rate_limited"), ("HTTP 503", "provider_unavailable"),
        ("InvalidProviderToken", "credential_refused"), ("TopicDisallowed", "topic_not_allowed"),
        ("NoAnswerInTime", "no_answer"), ("StreamReset 7", "no_answer"), ("ProxyPage 404", "no_answer"),
        ("NeverHeardOf", "other"),
        ("127.0.0.1:21443: connect: connection refused", "no_answer"), ("connection reset by peer", "no_answer"),
        // Ours say what they mean.
        ("device_off", "device_off"), ("moved_to_another_user", "moved_to_another_user"),
        ("payload_too_large", "payload_too_large"),
    ]

    @Test("are the same for all providers, and ours are their own", arguments: cases)
    func codes(_ reason: String, _ code: String) {
        #expect(ReasonCode.text(of: reason) == code)
    }

    @Test("a token that is off because a provider called it malformed is an invalid one")
    func disabled() {
        #expect(ReasonCode.text(ofDisabled: DisableReason(rawValue: "INVALID_ARGUMENT")) == "invalid_token")
        #expect(ReasonCode.text(ofDisabled: .switchedOff) == "device_off")
    }
}

@Suite("Subscriptions in the store")
struct StoredSubscriptionTests {
    @Test("are sealed for their app and their address, and open for nothing else")
    func sealed() throws {
        let (vault, app) = (Vault(key: SymmetricKey(size: .bits256)), PublicID(high: 1, low: 2))
        let subscription = try #require(
            PushSubscription(bytes: (0..<81).map { UInt8($0) }, vapidKeyID: "AAAAAAAAAAA")
        )
        let stored = try vault.seal(subscription, app: app, address: "https://a.example/1")
        guard case .sealed(let bytes) = stored else { throw Failure(.internalError, "It is not sealed.") }
        let text = bytes.map { "\($0)," }.joined()
        #expect(!text.contains(subscription.auth.map { "\($0)," }.joined()))
        #expect(vault.open(stored, app: app, address: "https://a.example/1") == subscription)
        #expect(vault.open(stored, app: app, address: "https://a.example/2") == nil)
        #expect(vault.open(stored, app: PublicID(high: 1, low: 3), address: "https://a.example/1") == nil)
        let other = Vault(key: SymmetricKey(size: .bits256))
        #expect(other.open(stored, app: app, address: "https://a.example/1") == nil)
        // One from before subscriptions were sealed.
        #expect(other.open(.plain(subscription), app: app, address: "") == subscription)
    }
}
