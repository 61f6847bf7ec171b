import Testing

@testable import MartletCore
@testable import MartletSNS

/// The parameters of a body.
func form(_ body: String, query: String = "") throws -> FormParameters {
    try FormParameters(query: query, body: Array(body.utf8))
}

/// What something is refused with; `nil` when it is not.
func refusal(_ body: () throws -> Void) throws -> SNSError? {
    do { try body() } catch let error as SNSError { return error }
    return nil
}

@Suite("A form")
struct FormTests {
    @Test("of a captured call has the parameters that the client was called with", arguments: CapturedCall.all)
    func captured(_ call: CapturedCall) throws {
        let form = try form(call.body)
        switch try form.action() {
        case .createTopic:
            #expect(try form.map("Attributes") == [FormEntry(key: "DisplayName", value: "A & B")])
            let tags = try form.structures("Tags")
            #expect(try tags.map { [try $0.required("Key"), try $0.required("Value")] } == [["k", "v"]])
        case .subscribe:
            #expect(try form.bool("ReturnSubscriptionArn") == true)
            #expect(try form.map("Attributes") == [FormEntry(key: "FilterPolicy", value: #"{"a":["b"]}"#)])
        case .untagResource: #expect(try form.strings("TagKeys") == ["k"])
        case .publish where form.has("MessageAttributes"):
            #expect(try form.string("Message") == #"{"default": "d", "APNS": "{\"aps\":{\"alert\":\"\u00e9\"}}"}"#)
            let attributes = try form.structureMap("MessageAttributes")
            #expect(attributes.map(\.key) == ["AWS.SNS.MOBILE.APNS.TTL", "bin"])
            #expect(try attributes[0].value.string("StringValue") == "60")
            #expect(try attributes[1].value.string("BinaryValue") == "AAE=")
        case .publishBatch:
            let entries = try form.structures("PublishBatchRequestEntries")
            #expect(try entries.map { try $0.required("Id") } == ["1", "2"])
            #expect(try entries[0].structureMap("MessageAttributes")[0].value.string("DataType") == "Number")
            #expect(try entries[1].structureMap("MessageAttributes").isEmpty)
            #expect(try entries[1].string("Subject") == "s")
        default: #expect(form.has("Version"))
        }
    }

    @Test("is read from the query, from the body, and from both")
    func places() throws {
        #expect(try form("", query: "Action=Publish&Message=a+b%20c").string("Message") == "a b c")
        #expect(try form("Message=m", query: "Action=Publish").action() == .publish)
        #expect(try form("&&Action=Publish&&").action() == .publish)
        #expect(try form("Action=Publish&Message").string("Message")?.isEmpty == true)
        #expect(try form("Message=a=b=c").string("Message") == "a=b=c")
        #expect(try form("M%65ssage=%e2%82%AC").string("Message") == "€")
    }

    @Test("says what operation it asks for, in the only version there is")
    func actions() throws {
        for body in ["", "Version=2010-03-31", "Action=", "action=Publish"] {
            #expect(try refusal { _ = try form(body).action() } == .missingAction)
        }
        #expect(try form("Action=Publish").action() == .publish)
        #expect(
            try refusal { _ = try form("Action=publish").action() }
                == SNSError(.invalidAction, "Could not find operation publish for version 2010-03-31")
        )
        #expect(
            try refusal { _ = try form("Action=Publish&Version=2012-11-05").action() }
                == SNSError(.invalidAction, "Could not find operation Publish for version 2012-11-05")
        )
    }

    @Test(
        "may not give a parameter twice, whatever its values",
        arguments: [
            ("Action=Publish&Action=DeleteTopic", ""), ("Action=Publish", "Action=Publish"), ("A=1&B=2&%41=1", ""),
            ("Tags.member.1.Key=a&Tags.member.1.Key=b", ""), ("Attributes.entry.1.key=a&Attributes.entry.1.key=a", ""),
        ]
    )
    func duplicates(body: String, query: String) throws {
        let refusal = try refusal { _ = try form(body, query: query) }
        #expect(refusal?.code == .malformedInput && refusal?.message.contains("more than once") == true)
    }

    @Test(
        "that is not escaped UTF-8 is refused",
        arguments: [
            "A=%", "A=%4", "A=a%", "A=%zz", "A=%+1", "%=1", "A=%FF", "A=%C3", "A=%C3%28", "A=%ED%A0%80", "A=%C0%80",
            "A=%F5%80%80%80",
            "%FF=1",
        ]
    )
    func malformed(body: String) throws {
        #expect(try refusal { _ = try form(body) }?.code == .malformedInput)
    }

    @Test("with bytes that are not UTF-8 is refused")
    func rawBytes() throws {
        let refusal = try refusal { _ = try FormParameters(query: "", body: Array("A=".utf8) + [0xC3, 0x28]) }
        #expect(refusal?.code == .malformedInput)
    }

    @Test("keeps control characters in a text as they are")
    func controls() throws {
        #expect(try form("A=%00%0D%0A%1F%7F").string("A") == "\u{0}\r\n\u{1F}\u{7F}")
    }

    @Test("has lists in the order of their numbers, with gaps or without")
    func lists() throws {
        let body = "L.member.10=j&L.member.2=b&L.member.999999999=z&L.member.0=a"
        #expect(try form(body).strings("L") == ["a", "b", "j", "z"])
        #expect(try form("L=").string("L")?.isEmpty == true)
        #expect(try form("").strings("L").isEmpty && form("").map("L").isEmpty)
    }

    @Test(
        "whose list or map is none is refused",
        arguments: [
            "L=a", "L.1=a", "L.member=a", "L.member.x=a", "L.member.-1=a", "L.member.01=a", "L.member.1.x=a",
            "L.member.=a",
            "L.member.9999999999=a", "L.member.99999999999999999999999999=a", "L.member.1=a&L.entry.1=b",
            "L.member.1=a&L=b",
            "L.entry.1=a", "L..1=a", "L.member.1.1=a",
        ]
    )
    func notALList(body: String) throws {
        #expect(try refusal { _ = try form(body).strings("L") }?.code == .malformedInput)
        #expect(try refusal { _ = try form(body).map("L") }?.code == .malformedInput)
    }

    @Test("has maps whose keys come once, with a value each")
    func maps() throws {
        #expect(
            try form("M.entry.2.key=b&M.entry.2.value=&M.entry.1.key=a&M.entry.1.value=1").map("M")
                == [FormEntry(key: "a", value: "1"), FormEntry(key: "b", value: "")]
        )
        let twice = "M.entry.1.key=a&M.entry.1.value=1&M.entry.2.key=a&M.entry.2.value=2"
        #expect(try refusal { _ = try form(twice).map("M") }?.code == .malformedInput)
        #expect(try refusal { _ = try form("M.entry.1.value=1").map("M") }?.code == .malformedInput)
        #expect(try refusal { _ = try form("M.entry.1.key=a").map("M") } == .missing(["m.a.member"]))
        #expect(try refusal { _ = try form("M.entry.1.key=a&M.entry.1.value.x=1").map("M") }?.code == .malformedInput)
    }

    @Test("where a text is expected has nothing below it, in AWS's words")
    func texts() throws {
        let refusal = try refusal { _ = try form("Endpoint.EndpointArn=x").string("Endpoint") }
        #expect(refusal == .malformedInput("Start of list found where not expected"))
        let list = try self.refusalOfList("AWSAccountId.1=123456789012")
        #expect(list == .malformedInput("Top level element may not be treated as a list"))
    }

    private func refusalOfList(_ body: String) throws -> SNSError? {
        try refusal { _ = try form(body).strings("AWSAccountId") }
    }

    @Test(
        "says true and false in either case, and nothing else",
        arguments: [
            ("true", true), ("TRUE", true), ("false", false), ("False", false),
        ]
    )
    func flags(text: String, flag: Bool) throws {
        #expect(try form("R=\(text)").bool("R") == flag)
        #expect(try form("").bool("R") == nil)
        #expect(try refusal { _ = try form("R=\(text)x").bool("R") }?.code == .malformedInput)
    }
}
