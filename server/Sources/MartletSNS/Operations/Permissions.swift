import MartletCore
import MartletWire

/// Statements of a topic's policy. They are kept and shown; what a key of this server may do is not up to them.
extension SNSService {
    func addPermission(_ call: SNSCall) async throws -> SNSResult? {
        var missing = MissingMembers()
        missing.require("TopicArn", "Label", "AWSAccountId", "ActionName", in: call.form)
        try missing.check()
        let label = try call.form.required("Label")
        let accounts = try call.form.strings("AWSAccountId")
        let actions = try call.form.strings("ActionName")
        try await changePolicy(call) { policy, arn throws(AttributeRefusal) in
            guard !label.isEmpty else { throw AttributeRefusal("Label") }
            guard accounts.allSatisfy(Self.isAccount) else { throw AttributeRefusal("Policy Error: PrincipalNotFound") }
            try policy.add(label, accounts: accounts, actions: actions, on: arn)
        }
        return nil
    }

    func removePermission(_ call: SNSCall) async throws -> SNSResult? {
        var missing = MissingMembers()
        missing.require("TopicArn", "Label", in: call.form)
        try missing.check()
        let label = try call.form.required("Label")
        try await changePolicy(call) { policy, _ throws(AttributeRefusal) in policy.remove(label) }
        return nil
    }

    /// Changes the policy of a call's topic, once more when somebody else changed it meanwhile.
    private func changePolicy(
        _ call: SNSCall,
        _ change: (inout AccessPolicy, TopicARN) throws(AttributeRefusal) -> Void
    ) async throws {
        let name = TopicAttribute.policy.name
        // Each turn that fails is one in which somebody else's change was written; ours, far above any real contention.
        for _ in 0..<100 {
            let topic = try await topic(of: call)
            let arn = call.arn(of: topic)
            let known = topic.attributes[name]
            do {
                var policy =
                    try known.map { text throws(AttributeRefusal) in try AccessPolicy(text) } ?? .standard(of: arn)
                try change(&policy, arn)
                let update = TopicUpdate(attributes: [name: policy.text], expecting: [name: known])
                try await self.update(topic, update, call)
                return
            } catch let refusal as AttributeRefusal {
                throw SNSError.invalidParameter(refusal.reason)
            } catch let failure as Failure where failure.code == .conflict {
                continue
            }
        }
        throw SNSError.throttling
    }

    /// 12 digits.
    private static func isAccount(_ text: String) -> Bool {
        text.utf8.count == 12 && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
}
