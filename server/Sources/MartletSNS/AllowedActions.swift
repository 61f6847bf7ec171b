import MartletCore

extension SNSCall {
    /// Looks whether the caller's key may do this. A key without permissions of its own may do everything, and what needs
    /// no signature is allowed to everybody.
    ///
    /// - Throws: `AuthorizationError` in AWS's words.
    func authorize() throws {
        guard let permissions = caller?.permissions else { return }
        let names = try names()
        // "sns:Publish: grants permission to both publish and publish batch" (Amazon SNS API permissions).
        let action = action == .publishBatch ? SNSAction.publish : action
        let everything = ARN.text(region: region, account: account, resource: "*")
        for name in names.isEmpty ? [everything] : names { try authorize(action, on: name, by: permissions) }
        // What an application tells of its endpoints is published as its owner, for as long as it is set.
        for name in try topicsOfEvents() { try authorize(.publish, on: name, by: permissions) }
        // An endpoint's name has an id that is known to whom it was told; a user's can be guessed, and reaches them.
        if let name = try subscribedUser() { try authorize(.publish, on: name, by: permissions) }
    }

    private func authorize(_ action: SNSAction, on name: String, by permissions: [AccessPermission]) throws(SNSError) {
        let resources = [name] + owner(of: name)
        let isAllowed = permissions.contains { permission in
            resources.contains { permission.allows(action.rawValue, on: $0) }
        }
        guard isAllowed else {
            throw .notAuthorized(
                user: principal ?? scope.user,
                action: action.rawValue,
                resource: name,
                policy: "identity-based"
            )
        }
    }

    /// The topics that a platform application is to publish its events to.
    private func topicsOfEvents() throws(SNSError) -> [String] {
        switch action {
        case .createPlatformApplication, .setPlatformApplicationAttributes:
            try form.map("Attributes").filter { ApplicationAttributes.events.contains($0.key) && !$0.value.isEmpty }
                .map(\.value)
        default: []
        }
    }

    /// The user whom it subscribes.
    private func subscribedUser() throws(SNSError) -> String? {
        guard action == .subscribe, let name = try value("Endpoint").first else { return nil }
        return (try? ARN(name, parameter: ""))?.resource.hasPrefix("user/") == true ? name : nil
    }

    /// What it is about, all that it names; nothing for what is about everything, or names nothing.
    private func names() throws(SNSError) -> [String] {
        switch action {
        case .createTopic:
            return try value("Name").map { ARN.text(region: region, account: account, resource: $0) }
        case .createPlatformApplication:
            let (platform, name) = (try value("Platform"), try value("Name"))
            guard let platform = platform.first else { return [] }
            return name.map { ARN.text(region: region, account: account, resource: "app/\(platform)/\($0)") }
        default:
            var names: [String] = []
            for parameter in action.resourceParameters { names += try value(parameter) }
            return names
        }
    }

    private func value(_ parameter: String) throws(SNSError) -> [String] {
        try form.string(parameter).flatMap { $0.isEmpty ? nil : [$0] } ?? []
    }

    /// What a name belongs to: an endpoint to its application, a subscription to its topic.
    private func owner(of name: String) -> [String] {
        guard let arn = try? ARN(name, parameter: "") else { return [] }
        let head = name.dropLast(arn.resource.count)
        let parts = arn.resource.split(separator: "/", omittingEmptySubsequences: false)
        if parts.count == 4, parts[0] == "endpoint" { return ["\(head)app/\(parts[1])/\(parts[2])"] }
        let topic = arn.resource.prefix { $0 != ":" }
        return topic.count < arn.resource.count ? ["\(head)\(topic)"] : []
    }
}

extension SNSAction {
    /// The parameters by which a call says what it is about.
    fileprivate var resourceParameters: [String] {
        switch self {
        case .publish: ["TopicArn", "TargetArn"]
        case .addPermission, .confirmSubscription, .deleteTopic, .getTopicAttributes, .listSubscriptionsByTopic,
            .publishBatch, .removePermission, .setTopicAttributes, .subscribe:
            ["TopicArn"]
        case .getDataProtectionPolicy, .listTagsForResource, .putDataProtectionPolicy, .tagResource, .untagResource:
            ["ResourceArn"]
        case .getSubscriptionAttributes, .setSubscriptionAttributes, .unsubscribe: ["SubscriptionArn"]
        case .createPlatformEndpoint, .deletePlatformApplication, .getPlatformApplicationAttributes,
            .listEndpointsByPlatformApplication, .setPlatformApplicationAttributes:
            ["PlatformApplicationArn"]
        case .deleteEndpoint, .getEndpointAttributes, .setEndpointAttributes: ["EndpointArn"]
        default: []
        }
    }
}
