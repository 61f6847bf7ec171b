import Testing

@Suite("Tags of topics")
struct TagOperationTests {
    @Test("are added, replaced, listed and taken away")
    func life() async throws {
        try await Harness.run { harness in
            let arn = try await harness.makeTopic("news")
            let empty = try await harness.call("ListTagsForResource", [("ResourceArn", arn)])
            #expect(empty.has("Tags"))
            #expect(empty.all("member").isEmpty)
            var reply = try await harness.call("TagResource", [("ResourceArn", arn)] + tags([("b", "2"), ("ä", "😀")]))
            #expect(reply.status == 200)
            #expect(reply.has("TagResourceResult"))
            _ = try await harness.call("TagResource", [("ResourceArn", arn)] + tags([("b", ""), ("a", "1")]))
            reply = try await harness.call("ListTagsForResource", [("ResourceArn", arn)])
            #expect(reply.all("Key") == ["a", "b", "ä"])
            #expect(reply.all("Value") == ["1", "", "😀"])
            let keys = [("TagKeys.member.1", "a"), ("TagKeys.member.2", "unknown")]
            #expect(try await harness.call("UntagResource", [("ResourceArn", arn)] + keys).status == 200)
            reply = try await harness.call("ListTagsForResource", [("ResourceArn", arn)])
            #expect(reply.all("Key") == ["b", "ä"])
        }
    }

    @Test("are at most fifty, of bounded keys and values, and not Amazon's own")
    func limits() async throws {
        try await Harness.run { harness in
            let arn = try await harness.makeTopic("news")
            let fifty = (1...50).map { ("k\($0)", String(repeating: "v", count: 256)) }
            #expect(try await harness.call("TagResource", [("ResourceArn", arn)] + tags(fifty)).status == 200)
            #expect(try await harness.call("TagResource", [("ResourceArn", arn)] + tags([("k7", "x")])).status == 200)
            var reply = try await harness.call("TagResource", [("ResourceArn", arn)] + tags([("k51", "x")]))
            #expect(reply.error.code == "TagLimitExceeded")
            #expect(reply.error.message == "Could not complete request: tag quota of per resource exceeded")
            reply = try await harness.call("CreateTopic", [("Name", "late")] + tags(fifty + [("k51", "x")]))
            #expect(reply.error.code == "TagLimitExceeded")
            let long = String(repeating: "k", count: 129)
            reply = try await harness.call("CreateTopic", [("Name", "late")] + tags([(long, "x")]))
            #expect(
                reply.error.message == """
                    1 validation error detected: Value '\(long)' at 'tags.1.member.key' failed to satisfy constraint: \
                    Member must have length less than or equal to 128
                    """
            )
            for (key, value) in [("", "x"), ("k", String(repeating: "v", count: 257)), ("aws:k", "x")] {
                reply = try await harness.call("TagResource", [("ResourceArn", arn)] + tags([(key, value)]))
                #expect(reply.status == 400, "\(key)")
            }
            reply = try await harness.call("TagResource", [("ResourceArn", arn), ("Tags.member.1.Key", "k")])
            #expect(reply.error.message?.contains("'tags.1.member.value'") == true)
            reply = try await harness.call("TagResource", [])
            #expect(reply.error.message?.hasPrefix("2 validation errors detected: Value null at 'resourceArn'") == true)
        }
    }

    @Test("of what there is not are another error than that of topics")
    func unknown() async throws {
        try await Harness.run { harness in
            let arn = "arn:aws:sns:us-east-1:123456789012:none"
            for (action, more) in [
                ("ListTagsForResource", []), ("TagResource", tags([("k", "v")])),
                ("UntagResource", [("TagKeys.member.1", "k")]),
            ] {
                let reply = try await harness.call(action, [("ResourceArn", arn)] + more)
                #expect(reply.error.code == "ResourceNotFound")
                #expect(reply.error.message == "Resource does not exist")
                #expect(reply.status == 404)
            }
            let reply = try await harness.call("ListTagsForResource", [("ResourceArn", "none")])
            let reason = "An ARN must have at least 6 elements, not 1"
            #expect(reply.error.message == "Invalid parameter: ResourceArn Reason: \(reason)")
        }
    }

    private func tags(_ tags: [(String, String)]) -> [(String, String)] {
        tags.enumerated().flatMap { index, tag in
            [("Tags.member.\(index + 1).Key", tag.0), ("Tags.member.\(index + 1).Value", tag.1)]
        }
    }
}
