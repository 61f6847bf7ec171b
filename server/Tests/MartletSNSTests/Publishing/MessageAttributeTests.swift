import Testing

@testable import MartletCore
@testable import MartletSNS

@Suite struct MessageAttributeTests {
    private static func empty(_ type: String) -> String {
        "The message attribute 'attr1' must contain non-empty message attribute value for message attribute type '\(type)'."
    }

    private static func wrongField(_ type: String, _ field: String) -> String {
        "The message attribute 'attr1' with type '\(type)' must use field '\(field)'."
    }

    private static func wrongCharacter(_ code: String) -> String {
        """
        Invalid non-alphanumeric character '#x\(code)' was found in the message attribute name. Can only include \
        alphanumeric characters, hyphens, underscores, or dots.
        """
    }

    private static let wrongType = """
        The message attribute 'attr1' has an invalid message attribute type, the set of supported type prefixes is \
        Binary, Number, and String.
        """
    private static let noNumber = "Could not cast message attribute 'attr1' value to number."
    private static let long = String(repeating: "a", count: 257)

    static let refused: [(AttributeCase, String)] = [
        (AttributeCase(type: "String", text: ""), empty("String")),
        (AttributeCase(type: "String"), empty("String")),
        (AttributeCase(type: "Binary", bytes: ""), empty("Binary")),
        (AttributeCase(type: "String.Array", text: ""), empty("String.Array")),
        (AttributeCase(type: "String", bytes: "AAE="), wrongField("String", "String")),
        (AttributeCase(type: "Number", bytes: "AAE="), wrongField("Number", "String")),
        (AttributeCase(type: "Binary", text: "x"), wrongField("Binary", "Binary")),
        (AttributeCase(type: "Invalid", text: "x"), wrongType),
        (AttributeCase(type: "", text: "x"), wrongType),
        (AttributeCase(type: "Stringy", text: "x"), wrongType),
        (AttributeCase(type: "custom.String", text: "x"), wrongType),
        (AttributeCase(type: "Number", text: "one"), noNumber),
        (AttributeCase(type: "Number", text: "0x10"), noNumber),
        (AttributeCase(type: "Number", text: "nan"), noNumber),
        (named(long), "Length of message attribute name must be less than 256 bytes."),
        (named("^bad"), wrongCharacter("5E")),
        (named("é"), wrongCharacter("E9")),
        (named(".a"), "Invalid message attribute name starting with character '.' was found."),
        (named("a."), "Invalid message attribute name ending with character '.' was found."),
        (named("a..b"), "Message attribute name can not have successive '.' character."),
        (named(""), "The message attribute name must not be empty."),
    ]

    private static func named(_ name: String) -> AttributeCase { AttributeCase(name: name, type: "String", text: "x") }

    @Test("an attribute that is not one is refused in AWS's words", arguments: refused)
    func refusals(_ attribute: AttributeCase, _ message: String) {
        let parameters = [("Message", "m")] + PublishingForm.attributes([attribute])
        #expect(PublishingForm.refusal(parameters) == SNSError(.parameterValueInvalid, message))
    }

    @Test(
        "attributes of every kind are taken",
        arguments: [
            AttributeCase(type: "String", text: "x"),
            AttributeCase(name: "a.b-c_1", type: "String.custom", text: "\u{1F600}\n"),
            AttributeCase(name: String(repeating: "a", count: 256), type: "Number", text: "-1.5e3"),
            AttributeCase(type: "Number.Array", text: "[1, 2]"),
            AttributeCase(type: "String.Array", text: "not JSON, which filters see"),
            AttributeCase(type: "Binary", bytes: "AAE="),
            AttributeCase(type: "Binary.gif", bytes: "AA=="),
        ]
    )
    func taken(_ attribute: AttributeCase) throws {
        let form = try PublishingForm.of([("Message", "m")] + PublishingForm.attributes([attribute]))
        let read = try #require(try PublishedMessage(form).attributes.first)
        #expect(read.name == attribute.name)
        #expect(read.type == attribute.type)
        #expect(read.value == attribute.text ?? attribute.bytes)
    }

    @Test("bytes that are not base64 are malformed")
    func base64() {
        let parameters = [("Message", "m")] + PublishingForm.attributes([AttributeCase(type: "Binary", bytes: "?")])
        #expect(PublishingForm.refusal(parameters)?.code == .malformedInput)
    }

    @Test("a data type that is missing is named with its place, every one of a batch")
    func missingType() throws {
        let parameters = [("Message", "m")] + PublishingForm.attributes([AttributeCase(text: "x")])
        #expect(PublishingForm.refusal(parameters) == .missing(["messageAttributes.attr1.member.dataType"]))
        let prefix = "PublishBatchRequestEntries.member.1."
        let batch =
            [("TopicArn", PublishingForm.topic), (prefix + "Id", "1"), (prefix + "Message", "m")]
            + PublishingForm.attributes([AttributeCase(text: "x")], prefix: prefix)
        let refusal = PublishingForm.refusal {
            try PublishBatchRequest(PublishingForm.of(batch), in: PublishingForm.scope(.publishBatch))
        }
        let path = "publishBatchRequestEntries.1.member.messageAttributes.attr1.member.dataType"
        #expect(refusal == .missing([path]))
    }

    @Test("a size is that of name, type and value, of bytes before base64")
    func size() throws {
        let attributes = [
            AttributeCase(name: "ab", type: "String", text: "é"),
            AttributeCase(name: "c", type: "Binary", bytes: "AAE="),
        ]
        let form = try PublishingForm.of([("Message", "mm")] + PublishingForm.attributes(attributes))
        #expect(try PublishedMessage(form).size == 2 + (2 + 6 + 2) + (1 + 6 + 2))
    }
}
