import Testing

extension Harness {
    /// Makes a topic and says its ARN.
    func makeTopic(
        _ name: String,
        _ attributes: [(String, String)] = [],
        region: String = Harness.region
    ) async throws -> String {
        let reply = try await call("CreateTopic", [("Name", name)] + Harness.map(attributes), region: region)
        return try #require(reply["TopicArn"], "\(reply.body)")
    }

    /// Subscribes an address or an endpoint and says the subscription's ARN.
    func subscribe(
        _ topic: String,
        _ endpoint: String,
        attributes: [(String, String)] = [],
        region: String = Harness.region
    ) async throws -> String {
        let transport = endpoint.hasPrefix("arn:") ? "application" : String(endpoint.prefix { $0 != ":" })
        let parameters = [
            ("TopicArn", topic), ("Protocol", transport), ("Endpoint", endpoint), ("ReturnSubscriptionArn", "true"),
        ]
        let reply = try await call("Subscribe", parameters + Harness.map(attributes), region: region)
        return try #require(reply["SubscriptionArn"], "\(reply.body)")
    }

    /// What `GetTopicAttributes` says.
    func topicAttributes(_ topic: String) async throws -> [String: String] {
        try await call("GetTopicAttributes", [("TopicArn", topic)]).entries
    }

    /// What `GetSubscriptionAttributes` says.
    func subscriptionAttributes(_ subscription: String) async throws -> [String: String] {
        try await call("GetSubscriptionAttributes", [("SubscriptionArn", subscription)]).entries
    }

    /// Sets one attribute of a topic or, by its longer name, of a subscription.
    func set(_ name: String, _ value: String, of arn: String) async throws -> Reply {
        let isTopic = arn.split(separator: ":").count == 6
        return try await call(
            isTopic ? "SetTopicAttributes" : "SetSubscriptionAttributes",
            [(isTopic ? "TopicArn" : "SubscriptionArn", arn), ("AttributeName", name), ("AttributeValue", value)]
        )
    }
}
