import Foundation
import MartletCore
import MartletWire

/// What a push service's answer means for a delivery. Pure; the sources are RFC 8030, section 5 to 7, and each service's
/// own documentation.
enum WebPushVerdict {
    /// The outcome.
    ///
    /// - Parameter sentAt: when the request was sent: a registration since then takes precedence over what it
    ///   says of a subscription.
    static func outcome(of answer: WebPushAnswer, at service: Environment, sentAt: Timestamp) -> Outcome {
        if let own = ownOutcome(of: answer, at: service, sentAt: sentAt) { return own }
        switch answer.status {
        case 200..<300: return .accepted
        case 429:
            let kind: Outcome.Retry.Kind = service == .otherService ? .rateLimited : .overloaded
            return answer.retry(kind)
        case 408, 425, 500...599: return answer.retry(retryKind(service))
        // A proxy's page says nothing of a subscription, a request or a key. One that lets nobody through is the whole
        // service's trouble; with another, the next delivery may fare better.
        case 400..<500 where answer.isPage:
            let kind = [401, 403, 407].contains(answer.status) ? retryKind(service) : .host
            return .retry(.init(reason: "ProxyPage \(answer.status)", kind: kind, after: answer.retryAfter))
        case 404, 410: return answer.rejected(.unregistered(since: sentAt))
        case 413: return answer.rejected()
        // A host that is no known service pauses nobody: its queue is shared.
        case 401 where service != .otherService, 403 where service != .otherService:
            return answer.misconfigured(advice(service))
        // What is left is about this request: a redirect, which is not followed, or a defect.
        default: return answer.rejected()
        }
    }

    /// What an answer should never be.
    enum Strangeness: Sendable, Hashable {
        /// The request was wrong, which is our mistake.
        case defect
        /// RFC 8030 and the services' documents do not have it.
        case unknown
    }

    /// Whether an answer refuses without a word about the subscription. How much a browser takes is its own matter, and a
    /// host that is no known service may refuse as it likes.
    static func strangeness(of answer: WebPushAnswer, at service: Environment, _ outcome: Outcome) -> Strangeness? {
        guard service != .otherService, case .rejected(let rejection) = outcome, rejection.meaning == .nothing,
            answer.status != 413, answer.errno != 104
        else { return nil }
        return (400..<500).contains(answer.status) ? .defect : .unknown
    }

    /// What only one service means by an answer; `nil` where it means what RFC 8030 says.
    private static func ownOutcome(of answer: WebPushAnswer, at service: Environment, sentAt: Timestamp) -> Outcome? {
        switch service {
        case .google: google(answer)
        case .mozilla: mozilla(answer, sentAt)
        case .microsoft: microsoft(answer)
        case .apple: apple(answer)
        default: nil
        }
    }

    /// "The VAPID credentials in the authorization header do not correspond to the credentials used to create the
    /// subscriptions."
    private static func google(_ answer: WebPushAnswer) -> Outcome? {
        guard answer.status == 403, answer.text.contains("do not correspond") else { return nil }
        return wrongKey("VapidKeyMismatch")
    }

    /// Mozilla's `errno` says more than its status (autopush, "Error Codes").
    private static func mozilla(_ answer: WebPushAnswer, _ sentAt: Timestamp) -> Outcome? {
        // "Immediate retry ok": twice at most, then by the policy, as everywhere. It counts as trouble all the same.
        if answer.status == 503, answer.errno == 202 {
            return .retry(.init(reason: answer.recordedReason, kind: .provider, after: answer.retryAfter ?? .zero))
        }
        // Only a refusal takes a browser away, whatever stands in the body of another answer.
        guard (400..<500).contains(answer.status), answer.status != 429 else { return nil }
        switch answer.errno {
        case 102, 103, 105, 106: return answer.rejected(.unregistered(since: sentAt))
        case 104, 111, 112, 113: return answer.rejected()
        case 109 where answer.text.lowercased().contains("mismatch"): return wrongKey("VapidKeyMismatch")
        default: return nil
        }
    }

    /// Microsoft tells of what it took and will not deliver in a header field (WNS, "Push notification service request and
    /// response headers").
    private static func microsoft(_ answer: WebPushAnswer) -> Outcome? {
        switch answer.status {
        case 200..<300:
            guard let status = answer.notificationStatus else { return nil }
            if status.hasSuffix("throttled") {
                return .retry(.init(reason: "WNSThrottled", kind: .rateLimited, after: answer.retryAfter))
            }
            guard status == "dropped" else { return nil }
            return .retry(.init(reason: "WNSDropped", kind: .rateLimited, after: answer.retryAfter))
        // Too many: RFC 6585 has 429 for it.
        case 406: return .retry(.init(reason: "HTTP 406", kind: .overloaded, after: answer.retryAfter))
        default: return nil
        }
    }

    /// Apple, "Sending web push notifications in web apps and browsers".
    private static func apple(_ answer: WebPushAnswer) -> Outcome? {
        switch (answer.status, answer.reason) {
        case (400, "VapidPkHashMismatch"): wrongKey("VapidPkHashMismatch")
        case (400..<500, "BadTtl"), (400..<500, "BadUrgency"), (400..<500, "BadWebPushTopic"),
            (400..<500, "BadWebPushRequest"), (400..<500, "BadAuthorizationHeader"), (400..<500, "BadVapidPublicKey"):
            answer.rejected()
        default: nil
        }
    }

    /// Whose trouble it is: hosts that are no known service share a queue, and one of them says nothing of the others.
    static func retryKind(_ service: Environment) -> Outcome.Retry.Kind {
        service == .otherService ? .host : .provider
    }

    /// Whose trouble it is that there is no answer.
    static func silence(_ service: Environment) -> Outcome.Retry.Kind {
        service == .otherService ? .host : .connection
    }

    /// The subscription was made with another key: it is of no use, unless the key itself is wrong.
    private static func wrongKey(_ reason: String) -> Outcome {
        .rejected(.init(reason: reason, meaning: .wrongTopic))
    }

    private static func advice(_ service: Environment) -> String {
        """
        \(service.rawValue.capitalized)'s push service refuses the app's VAPID token. Check the subject of the Web Push \
        credential (mailto: or https, reachable by anybody) and this machine's clock.
        """
    }
}
