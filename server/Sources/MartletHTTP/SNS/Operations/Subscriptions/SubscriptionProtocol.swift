import MartletCore

/// What a subscription reaches its subscriber by, of what this server has.
enum SubscriptionProtocol: String, Sendable {
    case application
    case http
    case https

    /// What of Amazon's protocols this server has not: it reaches devices and webhook URLs.
    private static let absent: Set<String> = ["email", "email-json", "firehose", "lambda", "sms", "sqs"]

    /// Reads a protocol and looks whether an endpoint can be one of it.
    ///
    /// - Throws: `InvalidParameter`, in AWS's words for unknown protocols and for endpoints that no protocol takes.
    init(_ name: String, endpoint: String, isFIFO: Bool) throws(SNSError) {
        guard let known = Self(rawValue: name) else { throw Self.refusal(of: name, endpoint: endpoint, isFIFO: isFIFO) }
        switch known {
        case .application:
            // Nothing is promised about the order in which pushes reach a device. Amazon's FIFO topics take queues alone,
            // of which there are none here: webhook URLs stand in for them.
            guard !isFIFO else { throw .invalidParameter("Invalid protocol type: \(name)") }
        case .http, .https: try Self.check(address: endpoint, scheme: name)
        }
        self = known
    }

    /// That of a subscription, whoever made it.
    init(of subscription: Subscription) {
        guard case .webhook(let address) = subscription.subject else {
            self = .application
            return
        }
        self = address.lowercased().hasPrefix("https:") ? .https : .http
    }

    private static func refusal(of name: String, endpoint: String, isFIFO: Bool) -> SNSError {
        guard absent.contains(name) else {
            return .invalidParameter("Amazon SNS does not support this protocol string: \(name.excerpt)")
        }
        switch name {
        case "sms" where !isPhoneNumber(endpoint):
            return SNSError(.invalidParameter, "Invalid SMS endpoint: \(endpoint.excerpt)")
        case "email" where !endpoint.contains("@"), "email-json" where !endpoint.contains("@"):
            return .invalidParameter("Email address")
        case "sqs":
            guard let arn = try? ARN(endpoint, parameter: "Endpoint"), arn.service == "sqs", !arn.resource.isEmpty
            else { return .invalidParameter("SQS endpoint ARN") }
            guard isFIFO || !arn.resource.hasSuffix(Topic.fifoSuffix) else {
                return .invalidParameter(
                    "Invalid parameter: Endpoint",
                    reason: "FIFO SQS Queues can not be subscribed to standard SNS topics"
                )
            }
        default: break
        }
        return .invalidParameter("Protocol", reason: "This server does not deliver over \(name)")
    }

    /// A number as E.164 writes it, with spaces and single hyphens between the digits, as AWS takes them.
    private static func isPhoneNumber(_ text: String) -> Bool {
        guard text.utf8.first == UInt8(ascii: "+"), !text.contains("--") else { return false }
        let rest = text.dropFirst()
        let digits = rest.utf8.count { (0x30...0x39).contains($0) }
        return (1...15).contains(digits) && rest.utf8.last.map { (0x30...0x39).contains($0) } == true
            && rest.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: " ") }
    }

    private static func check(address: String, scheme: String) throws(SNSError) {
        guard address.lowercased().hasPrefix("\(scheme)://") else {
            throw .invalidParameter("Endpoint must match the specified protocol")
        }
        guard address.utf8.count <= SubscriptionDraft.addressLimit, WebhookURL(address) != nil else {
            throw .invalidParameter("Endpoint")
        }
    }
}
