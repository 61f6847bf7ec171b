import Testing

@testable import MartletCore
@testable import MartletSNS

@Suite struct PublishBatchRequestTests {
    private func parameters(_ entries: [[(String, String)]]) -> [(String, String)] {
        [("TopicArn", PublishingForm.topic)]
            + entries.enumerated().flatMap { index, entry in
                entry.map { ("PublishBatchRequestEntries.member.\(index + 1).\($0.0)", $0.1) }
            }
    }

    private func refusal(_ entries: [[(String, String)]]) -> SNSError? {
        PublishingForm.refusal {
            try PublishBatchRequest(
                PublishingForm.of(parameters(entries)),
                in: PublishingForm.scope(.publishBatch)
            )
        }
    }

    private func entry(_ id: String, _ message: String = "m") -> [(String, String)] {
        [("Id", id), ("Message", message)]
    }

    @Test("a batch has one to ten entries")
    func count() {
        let empty = SNSError(.emptyBatchRequest, "The batch request doesn't contain any entries.")
        #expect(refusal([]) == empty)
        // What botocore makes of an empty list.
        let written = PublishingForm.refusal {
            try PublishBatchRequest(
                PublishingForm.of([("TopicArn", PublishingForm.topic), ("PublishBatchRequestEntries", "")]),
                in: PublishingForm.scope(.publishBatch)
            )
        }
        #expect(written == empty)
        #expect(refusal((1...10).map { entry("\($0)") }) == nil)
        let message = "The batch request contains more entries than permissible."
        #expect(refusal((1...11).map { entry("\($0)") }) == SNSError(.tooManyEntriesInBatchRequest, message))
    }

    @Test("ids are distinct, not empty, not too long, and words")
    func ids() {
        let head = "The Id of a batch entry in the batch request"
        let long = String(repeating: "a", count: 81)
        #expect(
            refusal([entry("a"), entry("a")])
                == SNSError(.batchEntryIDsNotDistinct, "Two or more batch entries in the request have the same Id.")
        )
        #expect(refusal([entry("a"), entry("A")]) == nil)
        #expect(refusal([entry("")]) == SNSError(.invalidBatchEntryID, "\(head) is empty"))
        #expect(refusal([entry(long)]) == SNSError(.invalidBatchEntryID, "\(head) is too long: \(long)"))
        #expect(refusal([entry(String(long.dropLast()))]) == nil)
        for id in ["message.id", "msg@123#test", "é", "a b"] {
            let message = "\(head) contains an impermissible character: \(id)"
            #expect(refusal([entry(id)]) == SNSError(.invalidBatchEntryID, message))
        }
    }

    @Test("all messages together are bounded, with their attributes")
    func size() {
        let half = String(repeating: "a", count: PublishedMessage.limit / 2)
        let message = "The length of all the messages put together is more than the limit."
        #expect(refusal([entry("1", half), entry("2", half)]) == nil)
        #expect(refusal([entry("1", half), entry("2", half + "a")]) == SNSError(.batchRequestTooLong, message))
        let attribute = PublishingForm.attributes([AttributeCase(name: "a", type: "String", text: "b")])
        #expect(refusal([entry("1", half), entry("2", half) + attribute]) == SNSError(.batchRequestTooLong, message))
    }

    @Test("every member that is missing is named with its place")
    func missing() {
        let expected = SNSError.missing([
            "publishBatchRequestEntries.1.member.message", "publishBatchRequestEntries.2.member.id",
        ])
        #expect(refusal([[("Id", "1")], [("Message", "m")]]) == expected)
    }
}
