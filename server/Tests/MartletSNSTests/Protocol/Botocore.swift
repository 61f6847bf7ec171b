import Foundation
import HTTPTypes
import Testing

@testable import MartletCore
@testable import MartletSNS

/// Python's botocore, what boto3 and the AWS command line sign and read with.
enum Botocore {
    /// Whether this machine has it.
    static let isInstalled = (try? run("import botocore", input: Data()).status) == 0

    /// A request for botocore to sign.
    struct Draft: Codable {
        var method = "POST"
        var url = "http://127.0.0.1:8080/"
        var headers: [[String]] = [["Content-Type", CapturedCall.contentType]]
        var body = Data("Action=ListTopics&Version=2010-03-31".utf8)
        var region = "us-east-1"
        var secret = CapturedCall.secret
        var token: String?
        /// Seconds, for a signature in the query.
        var expires: Int?
    }

    /// A request as botocore would have sent it.
    struct Sent: Codable {
        var operation: String?
        var method: String
        var target: String
        var host: String
        var headers: [[String]]
        var body: Data

        var request: SignedRequest {
            var fields = HTTPFields()
            for header in headers {
                guard let name = HTTPField.Name(header[0]) else { continue }
                fields.append(HTTPField(name: name, value: header[1]))
            }
            return SignedRequest(method: method, target: target, host: host, fields: fields, body: Array(body))
        }
    }

    /// A document for botocore to read.
    struct Document: Codable {
        var operation: String
        var status: Int
        var body: Data
    }

    /// Drafts, signed.
    static func sign(_ drafts: [Draft]) throws -> [Sent] {
        try JSONDecoder().decode([Sent].self, from: output(signing, JSONEncoder().encode(drafts)))
    }

    /// What a client sends for calls with everything in them that a form can have.
    static func calls() throws -> [Sent] { try JSONDecoder().decode([Sent].self, from: output(calling, Data())) }

    /// What botocore makes of documents.
    static func read(_ documents: [Document]) throws -> [[String: Any]] {
        let text = try output(reading, JSONEncoder().encode(documents))
        return try #require(try JSONSerialization.jsonObject(with: text) as? [[String: Any]])
    }

    static func output(_ program: String, _ input: Data) throws -> Data {
        let (status, output) = try run(program, input: input)
        try #require(status == 0, "\(String(decoding: output, as: UTF8.self))")
        return output
    }

    private static func run(_ program: String, input: Data) throws -> (status: Int32, output: Data) {
        let file = FileManager.default.temporaryDirectory.appending(path: "botocore-\(UUID().uuidString)")
        try input.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        return try PythonProgram.execute(["-c", program, file.path])
    }

    private static let signing = """
        import base64, json, sys
        from urllib.parse import urlsplit
        from botocore.auth import SigV4Auth, SigV4QueryAuth
        from botocore.awsrequest import AWSRequest
        from botocore.credentials import Credentials
        sent = []
        for draft in json.load(open(sys.argv[1])):
            keys = Credentials("\(CapturedCall.keyID)", draft["secret"], draft.get("token"))
            expires = draft.get("expires")
            request = AWSRequest(draft["method"], draft["url"], data=base64.b64decode(draft["body"]))
            for name, value in draft["headers"]:
                request.headers.add_header(name, value)
            if expires is None:
                SigV4Auth(keys, "sns", draft["region"]).add_auth(request)
            else:
                SigV4QueryAuth(keys, "sns", draft["region"], expires=expires).add_auth(request)
            url = urlsplit(request.url)
            sent.append({
                "method": request.method, "target": url.path + ("?" + url.query if url.query else ""),
                "host": url.netloc, "headers": [list(pair) for pair in request.headers.items()],
                "body": base64.b64encode(request.prepare().body or b"").decode(),
            })
        print(json.dumps(sent))
        """

    private static let calling = """
        import base64, json
        from urllib.parse import urlsplit
        import botocore.session
        from botocore.awsrequest import AWSResponse
        client = botocore.session.get_session().create_client(
            "sns", region_name="eu-central-1", endpoint_url="http://127.0.0.1:8080",
            aws_access_key_id="\(CapturedCall.keyID)", aws_secret_access_key="\(CapturedCall.secret)")
        sent = []
        class Raw:
            def stream(self, **_): return [b"<R/>"]
        def keep(method, url, headers, body, operation=None):
            parts = urlsplit(url)
            text = lambda value: value.decode() if isinstance(value, bytes) else str(value)
            sent.append({
                "operation": operation, "method": method, "host": parts.netloc,
                "target": (parts.path or "/") + ("?" + parts.query if parts.query else ""),
                "headers": [[name, text(value)] for name, value in headers.items()],
                "body": base64.b64encode(body.encode() if isinstance(body, str) else body or b"").decode()})
        def send(request, **_):
            keep(request.method, request.url, request.headers, request.body)
            return AWSResponse(request.url, 200, {}, Raw())
        client.meta.events.register("before-send.sns", send)
        text = "a+b & c=d % \\u00e9 \\U0001f600 /?#[]@!$'()*,;:~-_.\\r\\n\\t\\x00\\x7f"
        topic = "arn:aws:sns:eu-central-1:123456789012:news"
        attributes = {"n.1": {"DataType": "Number", "StringValue": "1"},
                      "b-1": {"DataType": "Binary", "BinaryValue": bytes(range(256))}}
        def call(name, **arguments):
            try:
                getattr(client, name)(**arguments)
            except Exception as error:
                if not sent: raise
            sent[-1]["operation"] = client.meta.method_to_api_mapping[name]
        call("publish", TopicArn=topic, Message=text, Subject=text, MessageAttributes=attributes)
        call("publish", TopicArn=topic, Message="\\u20ac" * 87381)
        call("publish_batch", TopicArn=topic, PublishBatchRequestEntries=[
            {"Id": str(i), "Message": text, "MessageAttributes": attributes} for i in range(10)])
        call("create_topic", Name="news", Attributes={"DisplayName": text},
             Tags=[{"Key": "k%d" % i, "Value": text} for i in range(50)])
        call("tag_resource", ResourceArn=topic, Tags=[])
        call("add_permission", TopicArn=topic, Label="l", AWSAccountId=["1", "2"], ActionName=["Publish"])
        call("list_topics")
        url = client.generate_presigned_url("publish", {"TopicArn": topic, "Message": text}, ExpiresIn=60,
                                            HttpMethod="GET")
        keep("GET", url, {}, b"", "Publish")
        print(json.dumps(sent))
        """

    private static let reading = """
        import base64, json, sys
        import botocore.parsers, botocore.session
        model = botocore.session.get_session().get_service_model("sns")
        parsed = []
        for document in json.load(open(sys.argv[1])):
            shape = model.operation_model(document["operation"]).output_shape
            response = {"status_code": document["status"], "headers": {}, "body": base64.b64decode(document["body"])}
            parsed.append(botocore.parsers.create_parser("query").parse(response, shape))
        print(json.dumps(parsed))
        """
}
