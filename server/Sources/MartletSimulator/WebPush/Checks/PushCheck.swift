/// What the checks found out about one push.
struct PushVerdict {
    var subscription: PushSubscription?
    var claims: VAPIDClaims?
    /// Seconds, as sent.
    var timeToLive: Int?
    var urgency: String?
    var topic: String?
    /// `nil`: the push is accepted.
    var error: WebPushError?
}

/// The checks of a push in the order in which they are made. The first that fails gives the answer; the services do not
/// publish theirs, this one is fixed.
///
/// | # | Looked at | Error |
/// |---|---|---|
/// | 1 | the path names a subscription | `missing` |
/// | 2 | it still stands | `gone` |
/// | 3 | the method is POST | `requestInvalid` |
/// | 4 | VAPID: form, key, signature, `aud`, `exp`, `sub`, the subscription's key | `authorization…`, `publicKeyInvalid`, `tokenInvalid`, `keyMismatch` |
/// | 5 | `ttl`, `urgency`, `topic` | `ttlInvalid`, `urgencyInvalid`, `topicInvalid` |
/// | 6 | Microsoft: `x-wns-cache-policy` | `requestInvalid` |
/// | 7 | `content-encoding` of a body is `aes128gcm` | `encodingInvalid` |
/// | 8 | size | `tooLarge` |
struct PushCheck {
    /// RFC 8030 section 5.2 sets no bound; the services keep nothing longer than four weeks.
    static let longestLife = 2_419_200
    /// RFC 8030 section 7.2: a service takes 4,096 bytes at least.
    static let sizeLimit = 4_096
    /// RFC 8030 section 5.4
    static let topicLimit = 32

    let method: String
    let path: String
    /// Names in lower case.
    let headers: [String: String]
    let size: Int
    /// Seconds since 1970.
    let now: Double

    func verdict(in registry: WebPushRegistry) -> PushVerdict {
        var verdict = PushVerdict()
        verdict.urgency = headers["urgency"]
        verdict.topic = headers["topic"]
        do {
            try judge(&verdict, registry)
        } catch {
            verdict.error = error
        }
        return verdict
    }

    private func judge(_ verdict: inout PushVerdict, _ registry: WebPushRegistry) throws(WebPushError) {
        guard let found = registry.subscription(at: path) else {
            throw WebPushError(.missing, "no subscription has this address")
        }
        verdict.subscription = found
        switch found.state {
        case .active: break
        case .gone: throw WebPushError(.gone, "the subscription has ended")
        case .missing: throw WebPushError(.missing, "no subscription has this address")
        }
        guard method == "POST" else { throw WebPushError(.requestInvalid, "the method is not POST") }
        let vapid = VAPIDCheck(
            origin: found.origin,
            boundKey: found.applicationServerKey,
            now: now,
            tokens: registry.tokens
        )
        verdict.claims = try vapid.claims(in: headers["authorization"])
        verdict.timeToLive = try timeToLive(for: found.service)
        try checkUrgency()
        try checkTopic()
        if found.service == .microsoft { try checkCachePolicy(verdict.timeToLive ?? 0) }
        if size > 0, headers["content-encoding"]?.lowercased() != "aes128gcm" {
            throw WebPushError(.encodingInvalid, "content-encoding is not aes128gcm")
        }
        guard size <= found.sizeLimit else {
            throw WebPushError(.tooLarge, "\(size) bytes, at most \(found.sizeLimit)")
        }
    }

    private func timeToLive(for service: PushServiceKind) throws(WebPushError) -> Int {
        guard let text = headers["ttl"] else { throw WebPushError(.ttlMissing, "ttl is missing") }
        let isNumber = !text.isEmpty && text.utf8.allSatisfy(\.isDigit)
        guard isNumber, let value = Int(text), value <= Self.longestLife else {
            throw WebPushError(.ttlInvalid, "ttl is not from 0 to \(Self.longestLife)")
        }
        // Apple documents BadTtl without a bound; a push that is not kept at all is refused here.
        if service == .apple, value == 0 { throw WebPushError(.ttlInvalid, "ttl is 0") }
        return value
    }

    private func checkUrgency() throws(WebPushError) {
        guard let urgency = headers["urgency"] else { return }
        guard ["very-low", "low", "normal", "high"].contains(urgency) else {
            throw WebPushError(.urgencyInvalid, "urgency is none of RFC 8030's")
        }
    }

    private func checkTopic() throws(WebPushError) {
        guard let topic = headers["topic"] else { return }
        let isPlain = topic.utf8.allSatisfy {
            $0.isDigit || ($0 | 0x20 >= UInt8(ascii: "a") && $0 | 0x20 <= UInt8(ascii: "z"))
                || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
        }
        guard isPlain, (1...Self.topicLimit).contains(topic.utf8.count) else {
            throw WebPushError(.topicInvalid, "topic is not at most 32 characters of base64url")
        }
    }

    /// Microsoft: `cache` for what is kept, `no-cache` for a TTL of 0.
    private func checkCachePolicy(_ timeToLive: Int) throws(WebPushError) {
        let wanted = timeToLive == 0 ? "no-cache" : "cache"
        guard headers["x-wns-cache-policy"] == wanted else {
            throw WebPushError(.requestInvalid, "x-wns-cache-policy is not \(wanted)")
        }
    }
}
