import Crypto
import Foundation
import MartletTesting

/// A key that an attacker has made for themselves.
enum SigningKey {
    /// PKCS #8 in PEM, as a JSON text has it.
    static let pem = P256.Signing.PrivateKey().pemRepresentation.replacingOccurrences(of: "\n", with: "\\n")
}

/// A call of the SNS interface, signed as AWS's SDKs sign (Signature Version 4), and what an attacker changes about it.
struct SignedCall {
    /// What is wrong about a call.
    enum Fault: String, CaseIterable {
        case unsigned = "without a signature"
        case otherSecret = "signed with another secret"
        case otherKey = "of a key that was never made"
        case otherBody = "with another body than was signed"
        case otherHost = "with another Host than was signed"
        case otherRegion = "of another region than was signed"
        case otherService = "signed for another service"
        case old = "signed an hour ago"
        case early = "signed for an hour from now"
        case fewerFields = "in which the Host was not signed"
        case emptySignature = "with an empty signature"
        case shortSignature = "with half a signature"
        case sessionToken = "with a session token beside a long-term key"
    }

    private let victim: Victim

    init(_ victim: Victim) { self.victim = victim }

    /// Sends it, right or with a fault.
    func send(_ parameters: [String: String], fault: Fault? = nil) throws -> RawAnswer {
        let body = parameters.sorted { $0.key < $1.key }.map { "\($0.key)=\(Self.escaped($0.value))" }.joined(
            separator: "&"
        )
        let sent = fault == .otherBody ? body + "&Extra=1" : body
        var lines = ["POST / HTTP/1.1", "Host: 127.0.0.1:\(victim.port)", "Connection: close"]
        if fault == .otherHost { lines[1] = "Host: sns.us-east-1.amazonaws.com" }
        lines += ["Content-Type: \(Self.type)", "Content-Length: \(sent.utf8.count)"]
        if fault == .sessionToken { lines.append("X-Amz-Security-Token: FwoGZXIvYXdzEBYaDA") }
        if fault != .unsigned { lines += signature(of: body, fault) }
        let connection = try RawConnection(port: victim.port)
        try connection.send(lines.joined(separator: "\r\n") + "\r\n\r\n" + sent)
        return RawAnswer(connection.read(seconds: 10))
    }

    /// Every fault there is; and one call that is right, without which all would pass at a server that takes none.
    static func run(_ victim: Victim) throws -> Tally {
        var tally = Tally("forged signatures")
        let call = SignedCall(victim)
        let right = try call.send(["Action": "ListTopics"])
        tally.attempt(
            heldOff: right.status == 200,
            "REFUSED ALTHOUGH ALLOWED: \(right.status) \(right.body.prefix(200))"
        )
        for fault in Fault.allCases {
            for action in ["ListTopics", "ListPlatformApplications", "ListSubscriptions"] {
                let answer = try call.send(["Action": action], fault: fault)
                let shows = victim.marks(for: .none).contains { answer.body.contains($0) }
                tally.attempt(
                    heldOff: (400..<500).contains(answer.status) && !shows,
                    "\(action) \(fault.rawValue): \(answer.status)"
                )
            }
        }
        return tally
    }

    private static let type = "application/x-www-form-urlencoded; charset=utf-8"

    private func signature(of body: String, _ fault: Fault?) -> [String] {
        let shift: Double = fault == .old ? -3_600 : fault == .early ? 3_600 : 0
        let format = Date.ISO8601FormatStyle(dateSeparator: .omitted, timeSeparator: .omitted)
        let time = Date(timeIntervalSinceNow: shift).formatted(format)
        let day = String(time.prefix(8))
        let service = fault == .otherService ? "sqs" : "sns"
        let hasHost = fault != .fewerFields
        let names = (hasHost ? "content-type;host" : "content-type") + ";x-amz-date"
        var fields = ["content-type:\(Self.type)"]
        if hasHost { fields.append("host:127.0.0.1:\(victim.port)") }
        fields.append("x-amz-date:\(time)")
        let canonical = (["POST", "/", ""] + fields + ["", names, Self.hex(SHA256.hash(data: Data(body.utf8)))])
            .joined(separator: "\n")
        let scope = "\(day)/us-east-1/\(service)/aws4_request"
        let text = ["AWS4-HMAC-SHA256", time, scope, Self.hex(SHA256.hash(data: Data(canonical.utf8)))].joined(
            separator: "\n"
        )
        let secret = fault == .otherSecret ? "wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY12" : victim.accessKey.secret
        var key = Data("AWS4\(secret)".utf8)
        for part in [day, "us-east-1", service, "aws4_request", text] {
            key = Data(HMAC<SHA256>.authenticationCode(for: Data(part.utf8), using: SymmetricKey(data: key)))
        }
        let id = fault == .otherKey ? "AKIAIOSFODNN7EXAMPLE" : victim.accessKey.id
        var code = Self.hex(key)
        if fault == .emptySignature { code = "" }
        if fault == .shortSignature { code = String(code.prefix(32)) }
        let said = fault == .otherRegion ? scope.replacingOccurrences(of: "us-east-1", with: "eu-west-1") : scope
        return [
            "X-Amz-Date: \(time)",
            "Authorization: AWS4-HMAC-SHA256 Credential=\(id)/\(said), SignedHeaders=\(names), Signature=\(code)",
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
