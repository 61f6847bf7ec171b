import Foundation

/// The name of a topic: `arn:aws:sns:REGION:ACCOUNT:NAME`.
struct TopicARN: Hashable, Sendable, CustomStringConvertible {
    let region: String
    let account: String
    let name: String

    /// A topic of ours.
    init(region: String, account: String, name: String) {
        self.region = region
        self.account = account
        self.name = name
    }

    /// Reads a topic's name in a request. Whether there is such a topic is not checked here.
    ///
    /// - Parameter parameter: the parameter that the text comes from.
    /// - Throws: `InvalidParameter` in AWS's words, `AuthorizationError` for another account.
    init(_ text: String, parameter: String = "TopicArn", in scope: ARNScope) throws(SNSError) {
        let arn = try ARN(text, parameter: parameter)
        try scope.check(arn, text, parameter: parameter)
        guard Self.isResource(arn.resource) else { throw .invalidParameter(parameter) }
        self.init(region: arn.region, account: arn.account, name: arn.resource)
    }

    /// Reads the topic's name of a confirmation, of which AWS only says `Invalid parameter: Topic`.
    ///
    /// - Throws: `InvalidParameter`.
    init(confirming text: String, in scope: ARNScope) throws(SNSError) {
        guard let topic = try? TopicARN(text, in: scope) else { throw .invalidParameter("Topic") }
        self = topic
    }

    /// The text of the name.
    var description: String { ARN.text(region: region, account: account, resource: name) }

    private static func isResource(_ resource: String) -> Bool {
        !resource.isEmpty && !resource.utf8.contains { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "/") }
    }
}

/// The name of a subscription: its topic's, a colon and an id of its own.
struct SubscriptionARN: Hashable, Sendable, CustomStringConvertible {
    let topic: TopicARN
    let id: String

    /// A subscription of ours.
    init(topic: TopicARN, id: String) {
        self.topic = topic
        self.id = id
    }

    /// Reads a subscription's name in a request. Whether there is such a subscription is not checked here.
    ///
    /// - Throws: `InvalidParameter` in AWS's words, `AuthorizationError` for another account.
    init(_ text: String, parameter: String = "SubscriptionArn", in scope: ARNScope) throws(SNSError) {
        guard !text.isEmpty else { throw .invalidParameter(parameter, reason: "no value for required parameter") }
        let arn = try ARN(text, parameter: parameter)
        let parts = arn.resource.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, UUID(uuidString: String(parts[1])) != nil else {
            // A topic's name, for example. AWS looks at this before it looks whose it is.
            throw .invalidParameter("SubscriptionId")
        }
        try scope.check(arn, text, parameter: parameter)
        self.init(
            topic: TopicARN(region: arn.region, account: arn.account, name: String(parts[0])),
            id: String(parts[1])
        )
    }

    /// The text of the name.
    var description: String { "\(topic):\(id)" }
}
