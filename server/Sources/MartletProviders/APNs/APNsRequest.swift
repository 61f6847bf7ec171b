import Foundation
import MartletCore
import MartletTransport
import MartletWire

/// Makes requests of APNs: `POST /3/device/<token>`.
enum APNsRequest {
    private static let path = Array("/3/device/".utf8)

    /// What all requests of a push have in common. Apple asks for `authorization` without indexing, and not to fill the
    /// table with `apns-expiration` and `apns-collapse-id`, which differ from push to push.
    static func template(
        _ message: Message,
        topic: String,
        authority: String,
        token: ProviderToken?,
        permit: HTTP2Permit = HTTP2Permit()
    ) -> HTTP2RequestTemplate {
        var headers: [HTTP2Header] = []
        if let token { headers.append(HTTP2Header(APNsHeader.authorization, "bearer \(token.text)", isIndexed: false)) }
        let suffix = message.headers[APNsHeader.topicSuffix] ?? ""
        headers.append(HTTP2Header(APNsHeader.topic, message.headers[APNsHeader.topic] ?? topic + suffix))
        for (name, isIndexed) in fields {
            if let value = message.headers[name] { headers.append(HTTP2Header(name, value, isIndexed: isIndexed)) }
        }
        return HTTP2RequestTemplate(authority: authority, headers: headers, body: message.payload, permit: permit)
    }

    private static let fields: [(name: String, isIndexed: Bool)] = [
        (APNsHeader.pushType, true), (APNsHeader.priority, true), (APNsHeader.expiration, false),
        (APNsHeader.collapseID, false),
    ]

    /// The requests of a push.
    ///
    /// - Returns: the requests; the targets' indices where not all are sent; those whose token is none.
    static func burst(
        of targets: [Push.Target],
        template: HTTP2RequestTemplate
    ) -> (requests: HTTP2Burst.Builder, targets: [Int]?, refused: [Int]) {
        var requests = HTTP2Burst.Builder(
            template: template,
            fields: [HTTP2BurstField(APNsHeader.id)],
            capacity: targets.count
        )
        var sent: [Int] = []
        var refused: [Int] = []
        var value: [UInt8] = []
        for (index, target) in targets.enumerated() {
            value.removeAll(keepingCapacity: true)
            value.append(contentsOf: path)
            // Anything else would make another path of it.
            guard !target.token.isEmpty, target.token.utf8.allSatisfy(isHexDigit) else {
                refused.append(index)
                continue
            }
            value.append(contentsOf: target.token.utf8)
            requests.write(value)
            requests.endValue()
            value.removeAll(keepingCapacity: true)
            append(target.id, to: &value)
            requests.write(value)
            requests.endValue()
            sent.append(index)
        }
        return (requests, refused.isEmpty ? nil : sent, refused)
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte) || (0x41...0x46).contains(byte)
    }

    /// Writes an id as APNs wants it: 36 characters, lower case.
    private static func append(_ id: PublicID, to text: inout [UInt8]) {
        let digits: StaticString = "0123456789abcdef"
        withUnsafeBytes(of: id.uuid.uuid) { bytes in
            for (index, byte) in bytes.enumerated() {
                if index == 4 || index == 6 || index == 8 || index == 10 { text.append(0x2D) }
                text.append(digits.utf8Start[Int(byte >> 4)])
                text.append(digits.utf8Start[Int(byte & 15)])
            }
        }
    }
}
