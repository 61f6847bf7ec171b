/// A topic taken apart.
struct Topic: Equatable {
    /// What the request or the certificate named.
    var name: String
    /// The app's bundle id.
    var app: String
    /// One of `PushType.topicSuffixes`, or empty.
    var suffix: String
}

extension APNsCheck {
    /// Bundle ids are DNS-like names.
    static let topicLimit = 255

    func topic(for credential: Credential, in registry: APNsRegistry) throws(Refusal) -> Topic {
        switch credential {
        case .token(let token):
            guard let name = request.topic, !name.isEmpty else { throw Refusal(.missingTopic) }
            let topic = try split(name) { registry.apps[$0] != nil }
            // Apple says "Pushing to this topic is not allowed" and leaves open whether that is an unknown topic
            // or another team's: both are answered the same, so that a sender learns nothing of other teams.
            guard let app = registry.apps[topic.app], app.teamID == token.teamID,
                registry.keys[token.keyID]?.topics?.contains(topic.app) ?? true
            else { throw Refusal(.topicDisallowed) }
            return topic
        case .certificate(let certificate):
            guard let name = request.topic ?? (certificate.topics.count == 1 ? certificate.topics[0] : nil) else {
                throw Refusal(.missingTopic)
            }
            let topic = try split(name) { registry.apps[$0] != nil || certificate.topics.contains($0) }
            guard certificate.topics.contains(name) || certificate.topics.contains(topic.app) else {
                throw Refusal(.topicDisallowed)
            }
            return topic
        }
    }

    /// A bundle id may itself end like a suffix: it is taken whole, unless the part before the suffix is an app too.
    private func split(_ name: String, isApp: (String) -> Bool) throws(Refusal) -> Topic {
        // By bytes: String.hasSuffix walks characters, and this is done for every push.
        let suffix = PushType.topicSuffixes.first { name.utf8.suffix($0.utf8.count).elementsEqual($0.utf8) }
        if let suffix, !isApp(name) || isApp(String(name.dropLast(suffix.count))) {
            let app = String(name.dropLast(suffix.count))
            guard Self.isWellFormedTopic(app) else { throw Refusal(.badTopic) }
            return Topic(name: name, app: app, suffix: suffix)
        }
        guard isApp(name) || Self.isWellFormedTopic(name) else { throw Refusal(.badTopic) }
        return Topic(name: name, app: name, suffix: "")
    }

    /// Whether the text can be a bundle id: letters, digits, hyphens and full stops (Apple, `CFBundleIdentifier`).
    static func isWellFormedTopic(_ topic: String) -> Bool {
        (1...topicLimit).contains(topic.utf8.count)
            && topic.utf8.allSatisfy { byte in
                byte.isDigit || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
                    || (byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z"))
            }
    }

    /// A topic whose suffix is not the push type's is refused as `InvalidPushType`: the type does not describe
    /// what is sent. Apple says only that the header must match the notification.
    func pushType(for topic: Topic, credential: Credential) throws(Refusal) -> PushType {
        guard let name = request.pushType else { return .implied(by: topic.suffix) }
        guard let type = PushType(rawValue: name), type.topicSuffix == topic.suffix else {
            throw Refusal(.invalidPushType)
        }
        // Apple: the location type is not available to certificates; the reason is not documented.
        if type == .location, case .certificate = credential { throw Refusal(.invalidPushType) }
        return type
    }
}
