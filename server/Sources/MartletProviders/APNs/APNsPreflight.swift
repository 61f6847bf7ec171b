import MartletCore
import MartletWire

/// What is decided about a push before anything is sent.
enum APNsPreflight {
    /// Why none of a push can be sent; `nil` when it can.
    static func refusal(of push: Push, at now: Timestamp) -> Outcome? {
        let summary = push.credential.credential.summary
        if let end = summary.expiresAt, end <= now {
            return .misconfigured(
                .init(
                    reason: "CertificateExpired",
                    advice: """
                        The certificate for \(summary.topic) expired on \(APNsCredentialCheck.day(end)). Make a new \
                        one in the developer account and store it.
                        """
                )
            )
        }
        let type = push.message.headers[APNsHeader.pushType].flatMap(APNsPushType.init)
        switch (type?.rules.authentication, summary.kind) {
        case (.tokenOnly, .certificate): return .rejected(.init(reason: "PushTypeNeedsProviderToken"))
        case (.certificateOnly, .token): return .rejected(.init(reason: "PushTypeNeedsCertificate"))
        default: return nil
        }
    }
}

/// A credential that cannot be used.
enum UnusableCredential {
    /// What it means for the deliveries that wait for it.
    static func outcome(of failure: Failure) -> Outcome {
        if failure.code == .overloaded {
            return .retry(.init(reason: "ShuttingDown", kind: .connection, after: .zero))
        }
        let advice = [failure.detail.message, failure.detail.hint].compactMap(\.self).joined(separator: " ")
        return .misconfigured(.init(reason: "UnusableCredential", advice: advice))
    }
}
