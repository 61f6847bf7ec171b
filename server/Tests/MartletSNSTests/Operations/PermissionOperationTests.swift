import Foundation
import MartletWire
import Testing

@testable import MartletCore
@testable import MartletSNS

@Suite("Permissions of topics")
struct PermissionOperationTests {
    @Test("are statements of the policy, one account and one action without a list")
    func statements() async throws {
        try await Harness.run { harness in
            let arn = try await harness.makeTopic("news")
            #expect(try await add(harness, arn, "one", ["111122223333"], ["Publish"]).status == 200)
            let two = ["111122223333", "444455556666"]
            #expect(try await add(harness, arn, "two", two, ["Publish", "Subscribe"]).status == 200)
            var found = try await policy(harness, arn)
            #expect(found.count == 3)
            #expect(found[0].members?["Sid"] == .string("__default_statement_ID"))
            let one = """
                {"Sid":"one","Effect":"Allow","Principal":{"AWS":"arn:aws:iam::111122223333:root"},\
                "Action":"SNS:Publish","Resource":"\(arn)"}
                """
            #expect(try found[1] == JSONValue(json: Data(one.utf8)))
            #expect(found[2].members?["Action"] == .array([.string("SNS:Publish"), .string("SNS:Subscribe")]))
            for _ in 0..<2 {
                let reply = try await harness.call("RemovePermission", [("TopicArn", arn), ("Label", "one")])
                #expect(reply.status == 200)
            }
            found = try await policy(harness, arn)
            #expect(found.map { $0.members?["Sid"] } == [.string("__default_statement_ID"), .string("two")])
            #expect(try await add(harness, arn, "one", ["111122223333"], ["Receive"]).status == 200)
        }
    }

    @Test("that are added at once are all there")
    func concurrency() async throws {
        try await Harness.run { harness in
            let arn = try await harness.makeTopic("news")
            try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<20 {
                    group.addTask {
                        try await add(harness, arn, "label-\(number)", ["111122223333"], ["Publish"]).status
                    }
                }
                for try await status in group { #expect(status == 200) }
            }
            #expect(try await policy(harness, arn).count == 21)
        }
    }

    @Test("need an account of twelve digits, actions of topics and all members")
    func refusals() async throws {
        try await Harness.run { harness in
            let arn = try await harness.makeTopic("news")
            let unknown = try await add(harness, arn, "l", ["12"], ["Publish"])
            #expect(unknown.error.message == "Invalid parameter: Policy Error: PrincipalNotFound")
            let action = try await add(harness, arn, "l", ["111122223333"], ["SetSubscriptionAttributes"])
            #expect(action.error.message == "Invalid parameter: Policy statement action out of service scope!")
            let missing = try await harness.call("AddPermission", [("TopicArn", arn)])
            #expect(missing.error.code == "ValidationError")
            #expect(missing.error.message?.hasPrefix("3 validation errors detected: ") == true)
            #expect(try await policy(harness, arn).count == 1)
        }
    }

    private func policy(_ harness: Harness, _ arn: String) async throws -> [JSONValue] {
        let text = try #require(try await harness.topicAttributes(arn)["Policy"])
        guard case .array(let statements)? = try JSONValue(json: Data(text.utf8)).members?["Statement"] else {
            return []
        }
        return statements
    }
}

private func add(
    _ harness: Harness,
    _ arn: String,
    _ label: String,
    _ accounts: [String],
    _ actions: [String]
) async throws -> Reply {
    var parameters = [("TopicArn", arn), ("Label", label)]
    parameters += accounts.enumerated().map { ("AWSAccountId.member.\($0 + 1)", $1) }
    parameters += actions.enumerated().map { ("ActionName.member.\($0 + 1)", $1) }
    return try await harness.call("AddPermission", parameters)
}
