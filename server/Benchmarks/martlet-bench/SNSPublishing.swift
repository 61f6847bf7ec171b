import Crypto
import Foundation
import MartletTesting
import MartletWire
import NIOHTTP1

/// What the SNS interface takes in a second, beside REST: to one endpoint and to a topic of a thousand, and what its
/// signatures cost.
struct SNSPublishing {
    let server: ServerUnderTest

    private static let subscribers = 1_000

    func rows() async throws -> [Row] {
        let client = try await SNSClient(server)
        let devices = try await devices(Self.subscribers)
        let target =
            "arn:aws:sns:\(SNSClient.region):\(SNSClient.account):endpoint/APNS/\(ServerUnderTest.app)/\(devices[0])"
        let rest = try await send(#"{"endpoints": ["\#(devices[0])"]}"#, requests: 4_000)
        let sns = try client.load(["Action": "Publish", "TargetArn": target, "Message": Self.text], requests: 4_000)
        let topic = try await topic(of: devices)
        let arn = "arn:aws:sns:\(SNSClient.region):\(SNSClient.account):\(topic)"
        let restTopic = try await send(#"{"topic": "\#(topic)"}"#, requests: 400)
        let snsTopic = try client.load(["Action": "Publish", "TopicArn": arn, "Message": Self.text], requests: 400)
        return [
            row("SNS publish to one endpoint", sns, rest), row("SNS publish to a topic of 1,000", snsTopic, restTopic),
            try signatures(client, arn),
        ]
    }

    private static let text = String(repeating: "x", count: 92)

    private func row(_ name: String, _ sns: Load, _ rest: Load) -> Row {
        Row(
            name,
            ours: "\(sns.perSecond.text(0))/s",
            floor: "\(rest.perSecond.text(0))/s",
            ratio: (sns.perSecond / rest.perSecond).text(2),
            goal: "",
            isMet: nil,
            note: "beside REST; p50 \(sns.p50.text(1)) ms, p99 \(sns.p99.text(1)) ms"
        )
    }

    /// The same call with and without a signature: one that may be made without and changes nothing.
    private func signatures(_ client: SNSClient, _ topic: String) throws -> Row {
        let parameters = ["Action": "Unsubscribe", "SubscriptionArn": "\(topic):00000000-0000-4000-8000-000000000000"]
        // In turns, and the least of each: what one run takes more than another is not the signature's.
        var (unsigned, signed) = (Double.infinity, Double.infinity)
        for _ in 0..<4 {
            unsigned = min(unsigned, try cost(client, parameters, isSigned: false))
            signed = min(signed, try cost(client, parameters, isSigned: true))
        }
        return Row(
            "SNS, what a signature costs",
            ours: "\((signed - unsigned).text(1)) µs",
            goal: "",
            isMet: nil,
            note: "a call takes \(signed.text(1)) µs with it and \(unsigned.text(1)) µs without"
        )
    }

    private func cost(_ client: SNSClient, _ parameters: [String: String], isSigned: Bool) throws -> Double {
        let requests = 5_000
        let before = try server.figures.cpuSeconds()
        _ = try client.load(parameters, requests: requests, isSigned: isSigned)
        return (try server.figures.cpuSeconds() - before) * 1_000_000 / Double(requests)
    }

    private func send(_ audience: String, requests: Int) async throws -> Load {
        let body = server.folder.file("send.json")
        try Data(ServerUnderTest.body(to: audience).utf8).write(to: URL(fileURLWithPath: body))
        let key = try server.key()
        return try Load(
            server,
            "/api/v1/notifications",
            requests: requests,
            ["-d", body, "-H", "Authorization: Bearer \(key)", "-H", "Content-Type: application/json"]
        )
    }

    /// The ids of so many devices.
    private func devices(_ count: Int) async throws -> [String] {
        let found = try await server.list("/api/v1/devices?app=\(ServerUnderTest.app)&limit=\(count)")
        let ids = found.compactMap { $0.objectValue?["id"]?.stringValue }
        guard ids.count == count else { throw BenchmarkError("\(ids.count) of \(count) devices") }
        return ids
    }

    /// A topic with these devices as its subscribers; its name.
    private func topic(of devices: [String]) async throws -> String {
        let name = "bench"
        _ = try await server.call(.POST, "/api/v1/topics", #"{"name": "\#(name)"}"#)
        for device in devices {
            let body = #"{"app": "\#(ServerUnderTest.app)", "endpoint_id": "\#(device)"}"#
            _ = try await server.call(.POST, "/api/v1/topics/\(name)/subscriptions", body)
        }
        return name
    }
}

/// Calls of the SNS interface with one access key, signed as AWS's SDKs sign them (Signature Version 4).
struct SNSClient {
    static let region = "us-east-1"
    static let account = "123456789012"

    private let server: ServerUnderTest
    private let accessKeyID: String
    private let secret: String

    /// A client with a key of its own.
    init(_ server: ServerUnderTest) async throws {
        self.server = server
        let made = try await server.call(.POST, "/api/v1/access-keys", #"{"name": "bench"}"#)
        guard let id = made["access_key_id"]?.stringValue, let secret = made["secret_access_key"]?.stringValue else {
            throw BenchmarkError("no access key in the answer")
        }
        accessKeyID = id
        self.secret = secret
    }

    /// Makes the same call again and again; a signature is good for five minutes.
    func load(_ parameters: [String: String], requests: Int, isSigned: Bool = true) throws -> Load {
        let body = parameters.sorted { $0.key < $1.key }.map { "\($0.key)=\(Self.escaped($0.value))" }
            .joined(separator: "&")
        let file = server.folder.file("call.form")
        try Data(body.utf8).write(to: URL(fileURLWithPath: file))
        var fields = ["Content-Type: \(Self.contentType)"]
        if isSigned { fields += signature(of: body) }
        return try Load(server, "/", requests: requests, ["-d", file] + fields.flatMap { ["-H", $0] })
    }

    private static let contentType = "application/x-www-form-urlencoded; charset=utf-8"

    private func signature(of body: String) -> [String] {
        let format = Date.ISO8601FormatStyle(dateSeparator: .omitted, timeSeparator: .omitted)
        let time = Date().formatted(format)
        let day = String(time.prefix(8))
        let host = server.address.dropFirst("http://".count)
        let names = "content-type;host;x-amz-date"
        let canonical = [
            "POST", "/", "", "content-type:\(Self.contentType)", "host:\(host)", "x-amz-date:\(time)", "", names,
            Self.hex(SHA256.hash(data: Data(body.utf8))),
        ].joined(separator: "\n")
        let scope = "\(day)/\(Self.region)/sns/aws4_request"
        let text = ["AWS4-HMAC-SHA256", time, scope, Self.hex(SHA256.hash(data: Data(canonical.utf8)))]
            .joined(separator: "\n")
        var key = Data("AWS4\(secret)".utf8)
        for part in [day, Self.region, "sns", "aws4_request", text] {
            key = Data(HMAC<SHA256>.authenticationCode(for: Data(part.utf8), using: SymmetricKey(data: key)))
        }
        let credential = "Credential=\(accessKeyID)/\(scope)"
        return [
            "X-Amz-Date: \(time)",
            "Authorization: AWS4-HMAC-SHA256 \(credential), SignedHeaders=\(names), Signature=\(Self.hex(key))",
        ]
    }

    private static func hex(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    private static func escaped(_ text: String) -> String {
        let plain = CharacterSet(charactersIn: "-._~").union(.alphanumerics)
        return text.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
    }
}
