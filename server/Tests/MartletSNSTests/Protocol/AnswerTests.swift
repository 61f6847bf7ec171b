import HTTPTypes
import Testing

@testable import MartletCore
@testable import MartletSNS

@Suite("An answer")
struct AnswerTests {
    private func text(_ answer: SNSAnswer) -> String { String(decoding: answer.body, as: UTF8.self) }
    private let namespace = #"xmlns="http://sns.amazonaws.com/doc/2010-03-31/""#

    @Test("has the form of the API's")
    func success() {
        let answer = SNSAnswer.success(.createTopic, requestID: "r-1") { $0.element("TopicArn", "arn:x") }
        #expect(answer.status == .ok)
        #expect(answer.fields[.contentType] == "text/xml")
        #expect(answer.fields[HTTPField.Name("x-amzn-RequestId")!] == "r-1")
        #expect(
            text(answer)
                == """
                <CreateTopicResponse \(namespace)><CreateTopicResult><TopicArn>arn:x</TopicArn></CreateTopicResult>\
                <ResponseMetadata><RequestId>r-1</RequestId></ResponseMetadata></CreateTopicResponse>
                """
        )
    }

    @Test("without a result has none, and with an empty one an empty one")
    func results() {
        #expect(
            text(.success(.deleteTopic, requestID: "r"))
                == """
                <DeleteTopicResponse \(namespace)><ResponseMetadata><RequestId>r</RequestId></ResponseMetadata>\
                </DeleteTopicResponse>
                """
        )
        #expect(text(.success(.tagResource, requestID: "r") { _ in }).contains("><TagResourceResult/><ResponseMeta"))
    }

    @Test("has lists even when they are empty, and no token for a page that there is not")
    func lists() {
        let answer = SNSAnswer.success(.listEndpointsByPlatformApplication, requestID: "r") { writer in
            writer.list("Endpoints", [1, 2]) { writer, number in
                writer.element("EndpointArn", "e\(number)")
                writer.map("Attributes", [("Enabled", "true"), ("Token", "t&")])
            }
            writer.list("Failed", [Int]()) { writer, _ in writer.element("Id", "") }
            writer.map("None", [])
            writer.element("NextToken", optional: nil)
            writer.element("IsTruncated", true)
        }
        let entries = """
            <Attributes><entry><key>Enabled</key><value>true</value></entry><entry><key>Token</key><value>t&amp;</value>\
            </entry></Attributes>
            """
        #expect(
            text(answer).contains(
                """
                Result><Endpoints><member><EndpointArn>e1</EndpointArn>\(entries)</member><member>\
                <EndpointArn>e2</EndpointArn>\(entries)</member></Endpoints><Failed/><None/>\
                <IsTruncated>true</IsTruncated></
                """
            )
        )
    }

    @Test("that is a refusal says whose fault it is")
    func failure() {
        let answer = SNSAnswer.failure(.invalidParameter("<x>"), requestID: "r-2")
        #expect(answer.status.code == 400 && answer.fields[.contentType] == "text/xml")
        #expect(
            text(answer)
                == """
                <ErrorResponse \(namespace)><Error><Type>Sender</Type><Code>InvalidParameter</Code>\
                <Message>Invalid parameter: &lt;x&gt;</Message></Error><RequestId>r-2</RequestId></ErrorResponse>
                """
        )
        #expect(text(.failure(.internalFailure, requestID: "r")).contains("<Type>Receiver</Type>"))
        #expect(SNSAnswer.failure(.notFound("Topic"), requestID: "r").status.code == 404)
    }

    @Test(
        "escapes what is markup, and replaces what no document can have",
        arguments: [
            ("a&b<c>d\"e'f", "a&amp;b&lt;c&gt;d\"e'f"), ("]]>", "]]&gt;"), ("a\r\nb\tc", "a&#xD;\nb\tc"),
            ("\u{0}\u{1}\u{B}\u{1F}\u{7F}\u{85}", "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{7F}\u{85}"),
            ("\u{FFFE}\u{FFFF}\u{FFFD}", "\u{FFFD}\u{FFFD}\u{FFFD}"),
            ("é€😀\u{10FFFF}\u{FBBF}", "é€😀\u{10FFFF}\u{FBBF}"), ("", ""),
        ]
    )
    func escapes(raw: String, written: String) {
        var writer = AnswerWriter()
        writer.element("v", raw)
        #expect(writer.bytes.elementsEqual("<v>\(written)</v>".utf8))
    }

    @Test("has an id of its own")
    func ids() {
        let ids = (0..<100).map { _ in SNSAnswer.newRequestID() }
        #expect(Set(ids).count == 100)
        #expect(ids.allSatisfy { $0.count == 36 && $0 == $0.lowercased() })
    }
}
