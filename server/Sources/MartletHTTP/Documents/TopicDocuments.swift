import MartletWire

extension TopicRequest: Documented {
    static let schema = document("TopicRequest") { field in
        switch field {
        case .name: (.topicName, "1 to 256 letters, digits, '_' and '-'.")
        case .app: (.string, "Whose it is, by id or name; absent takes the key's, or else the server.")
        case .attributes: (.map(of: .string), "What is set about it, by name.")
        case .tags: (.map(of: .string).of(0...50), "The operator's own words about it; at most 50.")
        }
    }
}

extension TopicChange: Documented {
    static let schema = document("TopicChange") { field in
        switch field {
        case .attributes: (.map(of: .string.orNull), "What is set about it; null takes one away.")
        case .tags: (.map(of: .string.orNull), "The operator's own words about it; null takes one away.")
        }
    }
}

extension TopicResponse: Documented {
    static let schema = document("Topic") { field in
        switch field {
        case .id: (.uuid, "The id.")
        case .name: (.string, "The name.")
        case .appID: (.uuid, "Whose it is; absent is the server's own.")
        case .region: (.string, "The region, which is part of its name at Amazon SNS.")
        case .isFIFO: (.boolean, "Whether messages keep their order.")
        case .attributes: (.map(of: .string), "What was set about it.")
        case .tags: (.map(of: .string), "The operator's own words about it.")
        case .subscriptions: (.document(SubscriptionCounts.self), "How many it has and had.")
        case .createdAt: (.time, "When it was made.")
        }
    }
}

extension SubscriptionCounts: Documented {
    static let schema = document("SubscriptionCounts") { field in
        switch field {
        case .confirmed: (.integer(), "Those that messages go to.")
        case .pending: (.integer(), "Those that wait for their confirmation.")
        case .deleted: (.integer(), "Those that ended.")
        }
    }
}

extension SubscriptionRequest: Documented {
    static let schema = document("SubscriptionRequest") { field in
        switch field {
        case .app: (.string, "Whose people, by id or name; absent takes the topic's, or else the key's.")
        case .userID: (.userID, "A user, on all devices that are theirs when a message comes.")
        case .endpointID: (.uuid, "Or one endpoint.")
        case .filterPolicy: (.map(of: .any), "What messages must be like, as at Amazon SNS.")
        case .filterScope: (.words(of: FilterScopeName.self), "What it is about; absent is 'attributes'.")
        }
    }
}

extension SubscriptionBatchRequest: Documented {
    static let schema = document("SubscriptionBatchRequest") { field in
        switch field {
        case .subscriptions:
            (
                .parts(of: SubscriptionRequest.self).of(1...limit),
                "1 to 1,000 subscriptions; one that is refused does not stop the others."
            )
        }
    }
}

extension SubscriptionBatchResponse: Documented {
    static let schema = document("SubscriptionReceipts") { field in
        switch field {
        case .receipts: (.list(of: .document(SubscriptionReceipt.self)), "One for each subscription, by position.")
        }
    }
}

extension SubscriptionReceipt: Documented {
    static let schema = document("SubscriptionReceipt") { field in
        switch field {
        case .status:
            (.words(of: SubscriptionReceiptStatus.self), "Whether the subscription is new, was there, or was refused.")
        case .id: (.uuid, "The subscription's id, unless it was refused.")
        case .error:
            (.document(ErrorBody.Detail.self), "Why it was refused, with a field such as subscriptions[3].user_id.")
        }
    }
}

extension UserTopicsRequest: Documented {
    static let schema = document("UserTopicsRequest") { field in
        switch field {
        case .topics: (.list(of: .string).of(0...limit), "All the topics, by id or name, at most 1,000; none ends all.")
        }
    }
}

extension SubscriptionChange: Documented {
    static let schema = document("SubscriptionChange") { field in
        switch field {
        case .filterPolicy: (.map(of: .any).orNull, "What messages must be like; null takes all.")
        case .filterScope: (.words(of: FilterScopeName.self), "What it is about; absent leaves it.")
        }
    }
}

extension FilterTrialRequest: Documented {
    static let schema = document("FilterTrialRequest") { field in
        switch field {
        case .attributes: (.map(of: .any), "The message's attributes, as in a notification to a topic.")
        case .data: (.map(of: .any), "The app's own values, which a policy about the body looks at.")
        case .filterPolicy: (.map(of: .any).orNull, "A policy to try in place of the stored one; null takes all.")
        case .filterScope: (.words(of: FilterScopeName.self), "What it is about; absent is the stored one's.")
        }
    }
}

extension FilterTrialResponse: Documented {
    static let schema = document("FilterTrial") { field in
        switch field {
        case .matches: (.boolean, "Whether the subscriber would get the message.")
        }
    }
}

extension SubscriptionResponse: Documented {
    static let schema = document("Subscription") { field in
        switch field {
        case .id: (.uuid, "The id.")
        case .topicID: (.uuid, "The topic's id.")
        case .topic: (.string, "The topic's name.")
        case .kind: (.words(of: SubscriberKind.self), "Who is subscribed.")
        case .appID: (.uuid, "Whose people.")
        case .userID: (.string, "The user.")
        case .endpointID: (.uuid, "The endpoint; it may be gone.")
        case .url: (.string, "The webhook URL.")
        case .filterPolicy: (.any, "A filter policy for the messages.")
        case .filterScope: (.words(of: FilterScopeName.self), "What of a message it is about.")
        case .isConfirmed: (.boolean, "Whether messages go to it.")
        case .createdAt: (.time, "When it was made.")
        }
    }
}
