extension APNsCheck {
    /// Size comes before grammar: what is too large is not read.
    ///
    /// Apple documents no reason for a payload that is no JSON object. `PayloadEmpty` is the only documented 400
    /// about the payload's content, so it is the assumption here: there is nothing in it that could be delivered.
    func checkPayload(for type: PushType) throws(Refusal) {
        if request.payload.size == 0 { throw Refusal(.payloadEmpty) }
        if request.payload.size > type.payloadLimit { throw Refusal(.payloadTooLarge) }
        if !request.payload.isObject { throw Refusal(.payloadEmpty) }
    }

    func checkDevice(_ token: String, topic: Topic, in registry: APNsRegistry) throws(Refusal) {
        guard let device = registry.devices[token] else {
            if registry.knownTokensOnly { throw Refusal(.badDeviceToken) }
            return
        }
        if let only = device.environment, only != environment { throw Refusal(.badDeviceToken) }
        if let bound = device.topic, bound != topic.app, bound != topic.name { throw Refusal(.deviceTokenNotForTopic) }
        switch device.state {
        case .active: return
        case .unregistered(let since): throw Refusal(.unregistered, timestamp: since)
        case .expired(let since): throw Refusal(.expiredToken, timestamp: since)
        }
    }
}
