import Foundation
import MartletCore
import MartletTransport
import MartletWire

/// Makes requests of APNs: `POST /3/device/<token>`.
enum APNsRequest {
    private static let path = Array("/3/device/".utf8)

    /// What all requests of a push have in common: the body too, where its payload has no holes. Apple asks for `authorization` without indexing, and not to fill the
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
        let body = message.payload.holes.isEmpty ? message.payload.bytes : []
        return HTTP2RequestTemplate(authority: authority, headers: headers, body: body, permit: permit)
    }

    /// The topic that a message goes to, where that is its credential's own for the push type.
    static func ownTopic(of message: Message, with credential: CredentialSummary) -> String? {
        let type = message.headers[APNsHeader.pushType].flatMap(APNsPushType.init)
        let suffix = type?.rules.topicSuffix ?? ""
        let own = suffix.isEmpty ? credential.topic : credential.topic + suffix
        guard let named = message.headers[APNsHeader.topic] else { return own }
        return named == own ? own : nil
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
        var refused: [Int] = []
        for (index, target) in targets.enumerated() {
            var token = target.token
            let isSent = token.withUTF8 { digits in
                // Anything else would make another path of it.
                guard !digits.isEmpty, digits.allSatisfy(APNsToken.isHexDigit) else { return false }
                requests.write(path)
                requests.write(UnsafeRawBufferPointer(digits))
                requests.endValue()
                return true
            }
            guard isSent else {
                refused.append(index)
                continue
            }
            write(target.id, to: &requests)
            requests.endValue()
        }
        guard !refused.isEmpty else { return (requests, nil, []) }
        let isRefused = Set(refused)
        return (requests, targets.indices.filter { !isRefused.contains($0) }, refused)
    }

    /// Writes an id as APNs wants it: 36 characters, lower case.
    private static func write(_ id: PublicID, to requests: inout HTTP2Burst.Builder) {
        let digits: StaticString = "0123456789abcdef"
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 36) { text in
            withUnsafeBytes(of: id.uuid.uuid) { bytes in
                var end = 0
                for (index, byte) in bytes.enumerated() {
                    if index == 4 || index == 6 || index == 8 || index == 10 {
                        text[end] = UInt8(ascii: "-")
                        end += 1
                    }
                    text[end] = digits.utf8Start[Int(byte >> 4)]
                    text[end + 1] = digits.utf8Start[Int(byte & 15)]
                    end += 2
                }
            }
            requests.write(UnsafeRawBufferPointer(text))
        }
    }
}
