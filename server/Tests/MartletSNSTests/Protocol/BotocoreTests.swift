import Foundation
import HTTPTypes
import Testing

@testable import MartletCore
@testable import MartletSNS

@Suite("botocore", .enabled(if: Botocore.isInstalled, "python3 has no botocore"))
struct BotocoreTests {
    /// What the sender's clock says, so that a slow machine changes nothing.
    private func time(of request: SignedRequest) throws -> String {
        if let date = request.fields[.date] { return try #require(SigningTime(http: date)).description }
        return try #require(try request.fields[.amzDate] ?? SignedQuery(request.query).text("X-Amz-Date"))
    }

    @Test("signs requests of many forms, which are accepted as they are and not otherwise")
    func signs() throws {
        let drafts = Self.drafts
        let sent = try Botocore.sign(drafts)
        try #require(sent.count == drafts.count)
        for (draft, sent) in zip(drafts, sent) {
            let request = sent.request
            let now = try time(of: request)
            #expect(try RequestSigner.refusal(request, secret: draft.secret, at: now) == nil, "\(draft)")
            let other = try RequestSigner.refusal(request, secret: draft.secret + "x", at: now)
            #expect(other == .signatureMismatch, "\(draft)")
            let changed = SignedRequest(
                method: request.method,
                target: sent.target,
                host: request.host,
                fields: request.fields,
                body: request.body + [0x41]
            )
            let refusal = try RequestSigner.refusal(changed, secret: draft.secret, at: now)
            #expect(refusal == .signatureMismatch, "\(draft)")
        }
    }

    private static var drafts: [Botocore.Draft] {
        var drafts = [Botocore.Draft()]
        for url in [
            "http://localhost/", "https://sns.example.com:8443/", "http://[::1]:8080/", "http://h/?A=1&B=2&A=0&C",
            "http://h/?b=%20%2B%7E&a=%C3%A9&a=", "http://h/?m=a+b", "http://h/a%20b/../c//d/./", "http://h/~x/é",
            "http://h/?x=a/b:c*d'e", "http://h/a//b/", "http://h/..",
        ] { drafts.append(Botocore.Draft(url: url)) }
        for body in [Data(), Data((0..<2_000).map { UInt8(truncatingIfNeeded: $0) }), Data(count: 262_145)] {
            drafts.append(Botocore.Draft(body: body))
        }
        for secret in ["s", "ü+/=", String(repeating: "k", count: 200)] {
            drafts.append(Botocore.Draft(secret: secret))
        }
        drafts.append(Botocore.Draft(region: "ap-southeast-2", token: "session/token+="))
        drafts.append(
            Botocore.Draft(headers: [["X-Many", " a  b "], ["X-Many", "c,d"], ["X-Empty", ""], ["Date", "x"]])
        )
        for (method, url) in [
            ("GET", "http://h/?Action=ListTopics"), ("GET", "http://h/?Action=Publish&Message=a%20b%2B%C3%A9&Z=1"),
            ("POST", "http://h:81/?Action=ListTopics"),
        ] { drafts.append(Botocore.Draft(method: method, url: url, body: Data(), token: "t/+=", expires: 3_600)) }
        return drafts
    }

    @Test("sends calls that are accepted, and that are read as what was called")
    func calls() throws {
        let text = "a+b & c=d % é 😀 /?#[]@!$'()*,;:~-_.\r\n\t\u{0}\u{7F}"
        let sent = try Botocore.calls()
        try #require(sent.count == 8)
        for sent in sent {
            let request = sent.request
            #expect(try RequestSigner.refusal(request, secret: CapturedCall.secret, at: time(of: request)) == nil)
            let form = try FormParameters(query: request.query, body: request.body)
            #expect(try form.action().rawValue == sent.operation)
        }
        let forms = try sent.map { try FormParameters(query: $0.request.query, body: $0.request.body) }
        for form in [forms[0], forms[7]] { #expect(try form.string("Message") == text) }
        let attributes = try forms[0].structureMap("MessageAttributes")
        #expect(attributes.map(\.key).sorted() == ["b-1", "n.1"])
        let binary = try #require(attributes.first { $0.key == "b-1" })
        #expect(try Data(base64Encoded: binary.value.required("BinaryValue")) == Data((0...255).map { UInt8($0) }))
        #expect(try forms[1].string("Message")?.utf8.count == 262_143)
        let entries = try forms[2].structures("PublishBatchRequestEntries")
        #expect(try entries.map { try $0.required("Id") } == (0..<10).map(String.init))
        #expect(try entries.allSatisfy { try $0.structureMap("MessageAttributes").count == 2 })
        let tags = try forms[3].structures("Tags")
        #expect(try tags.map { try $0.required("Key") } == (0..<50).map { "k\($0)" })
        #expect(try forms[4].string("Tags") == nil || forms[4].string("Tags")?.isEmpty == true)
        #expect(try forms[5].strings("AWSAccountId") == ["1", "2"])
    }

    @Test("reads answers as they were meant")
    func reads() throws {
        let text = "a&b<c>d\"e'f]]>\r\n\t é 😀"
        let endpoints = SNSAnswer.success(.listEndpointsByPlatformApplication, requestID: "r") { writer in
            writer.list("Endpoints", ["e"]) { writer, name in
                writer.element("EndpointArn", name)
                writer.map("Attributes", [("CustomUserData", text), ("Enabled", "true")])
            }
            writer.element("NextToken", optional: "n")
        }
        let topics = SNSAnswer.success(.listTopics, requestID: "r") { writer in
            writer.list("Topics", [String]()) { writer, name in writer.element("TopicArn", name) }
            writer.element("NextToken", optional: nil)
        }
        let answers: [(SNSAction, SNSAnswer)] = [
            (.listEndpointsByPlatformApplication, endpoints), (.listTopics, topics),
            (.deleteTopic, .success(.deleteTopic, requestID: "r")),
            (.tagResource, .success(.tagResource, requestID: "r") { _ in }),
            (.publish, .failure(.invalidParameter(text), requestID: "r")),
        ]
        let read = try Botocore.read(
            answers.map { .init(operation: $0.0.rawValue, status: $0.1.status.code, body: Data($0.1.body)) }
        )
        let list = try #require(read[0]["Endpoints"] as? [[String: Any]])
        #expect(list.first?["EndpointArn"] as? String == "e")
        #expect(list.first?["Attributes"] as? [String: String] == ["CustomUserData": text, "Enabled": "true"])
        #expect(read[0]["NextToken"] as? String == "n")
        #expect((read[1]["Topics"] as? [Any])?.isEmpty == true && read[1]["NextToken"] == nil)
        for document in read[0..<4] {
            #expect((document["ResponseMetadata"] as? [String: Any])?["RequestId"] as? String == "r")
        }
        let error = try #require(read[4]["Error"] as? [String: String])
        #expect(error["Code"] == "InvalidParameter" && error["Type"] == "Sender")
        #expect(error["Message"] == "Invalid parameter: \(text)")
    }
}
