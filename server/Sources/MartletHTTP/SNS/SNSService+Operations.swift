/// What each operation comes to.
extension SNSService {
    /// Does what a call asks for.
    ///
    /// - Throws: `SNSError`, and `Failure` for what the domain refuses.
    func perform(_ call: SNSCall) async throws -> SNSResult? {
        switch call.action {
        case .createPlatformApplication: try await createPlatformApplication(call)
        case .getPlatformApplicationAttributes: try await getPlatformApplicationAttributes(call)
        case .setPlatformApplicationAttributes: try await setPlatformApplicationAttributes(call)
        case .listPlatformApplications: try await listPlatformApplications(call)
        case .deletePlatformApplication: try await deletePlatformApplication(call)
        case .createPlatformEndpoint: try await createPlatformEndpoint(call)
        case .getEndpointAttributes: try await getEndpointAttributes(call)
        case .setEndpointAttributes: try await setEndpointAttributes(call)
        case .listEndpointsByPlatformApplication: try await listEndpointsByPlatformApplication(call)
        case .deleteEndpoint: try await deleteEndpoint(call)
        case .createTopic: try await createTopic(call)
        case .deleteTopic: try await deleteTopic(call)
        case .listTopics: try await listTopics(call)
        case .getTopicAttributes: try await getTopicAttributes(call)
        case .setTopicAttributes: try await setTopicAttributes(call)
        case .tagResource: try await tagResource(call)
        case .untagResource: try await untagResource(call)
        case .listTagsForResource: try await listTagsForResource(call)
        case .addPermission: try await addPermission(call)
        case .removePermission: try await removePermission(call)
        case .subscribe: try await subscribe(call)
        case .confirmSubscription: try await confirmSubscription(call)
        case .unsubscribe: try await unsubscribe(call)
        case .listSubscriptions: try await listSubscriptions(call)
        case .listSubscriptionsByTopic: try await listSubscriptionsByTopic(call)
        case .getSubscriptionAttributes: try await getSubscriptionAttributes(call)
        case .setSubscriptionAttributes: try await setSubscriptionAttributes(call)
        case .publish: try await publish(call)
        case .publishBatch: try await publishBatch(call)
        case .checkIfPhoneNumberIsOptedOut, .createSMSSandboxPhoneNumber, .deleteSMSSandboxPhoneNumber,
            .getDataProtectionPolicy, .getSMSAttributes, .getSMSSandboxAccountStatus, .listOriginationNumbers,
            .listPhoneNumbersOptedOut, .listSMSSandboxPhoneNumbers, .optInPhoneNumber, .putDataProtectionPolicy,
            .setSMSAttributes, .verifySMSSandboxPhoneNumber:
            throw SNSError.invalidParameter("Action", reason: "This server does not offer \(call.action.rawValue)")
        }
    }
}
