import MartletCore
import MartletWire

/// What each operation comes to.
extension SNSService {
    /// Does what a call asks for.
    ///
    /// - Throws: `SNSError`, and `Failure` for what the domain refuses.
    func perform(_ call: SNSCall) async throws -> SNSResult? {
        switch call.action {
        // A certificate's password is made slow to try: not on an event loop, where calls are answered.
        case .createPlatformApplication:
            try await withTaskExecutorPreference(globalConcurrentExecutor) { try await createPlatformApplication(call) }
        case .getPlatformApplicationAttributes: try await getPlatformApplicationAttributes(call)
        case .setPlatformApplicationAttributes:
            try await withTaskExecutorPreference(globalConcurrentExecutor) {
                try await setPlatformApplicationAttributes(call)
            }
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

/// One call of the SNS interface whose signature was checked, on its way through an operation.
struct SNSCall: Sendable {
    /// What it takes.
    let form: FormParameters
    /// The operation, with the region that its signature names and the account: what ARNs are checked against.
    let scope: ARNScope
    /// Who makes it; `nil` for what needs no signature.
    let caller: StoredAccessKey?

    var action: SNSAction { scope.action }
    var region: String { scope.region }
    var account: String { scope.account }

    /// Who calls, as an ARN. A key's name is the operator's, and may have characters that an ARN cannot.
    var principal: String? {
        guard let caller else { return nil }
        // AWS Identity and Access Management, names of users: 1 to 64 of these.
        let isName =
            !caller.name.isEmpty && caller.name.utf8.count <= 64
            && caller.name.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || "+=,.@-_".utf8.contains(byte)
            }
        return ARN.principal("user/\(isName ? caller.name : caller.id)", region: region, account: account)
    }
}

/// What an operation's result holds; `nil` for operations whose model has none.
typealias SNSResult = @Sendable (inout AnswerWriter) -> Void

extension SNSError {
    /// A refusal of the domain in the words of this interface, for what an operation did not tell apart itself.
    init(_ failure: Failure) {
        switch failure.code {
        case .overloaded: self = .throttling
        case .notFound: self = .resourceNotFound
        case .internalError: self = .internalFailure
        default: self = .invalidParameter(failure.detail.field ?? "Request", reason: failure.detail.message)
        }
    }
}
