import MartletCore
import MartletWire

/// What an HTTP or HTTPS subscription gets: a message of a topic, or the confirmation that it is asked for.
///
/// Everything but the address to unsubscribe at is the same for all subscriptions of a topic, and that is not signed:
/// one signature does for all of them.
struct Envelope: Hashable, Sendable {
    /// A message attribute, as subscribers see it.
    struct Attribute: Hashable, Sendable {
        let name: String
        /// `String`, `Number`, `Binary`, `String.Array`, with what stands behind a dot.
        let type: String
        /// The text; bytes are in base64.
        let value: String
    }

    /// What it is.
    enum Kind: Hashable, Sendable {
        case notification(subject: String?, unsubscribeURL: String, attributes: [Attribute])
        case subscriptionConfirmation(token: String, subscribeURL: String)
        case unsubscribeConfirmation(token: String, subscribeURL: String)

        /// `Type` in the envelope, and `x-amz-sns-message-type`.
        var name: String {
            switch self {
            case .notification: "Notification"
            case .subscriptionConfirmation: "SubscriptionConfirmation"
            case .unsubscribeConfirmation: "UnsubscribeConfirmation"
            }
        }
    }

    let kind: Kind
    let messageID: String
    let topic: TopicARN
    let message: String
    let timestamp: Timestamp
    /// The message's place among all of its FIFO topic. It is not signed, as Amazon's is not.
    var sequenceNumber: String?

    /// The text that a subscription is asked with.
    static func confirmationMessage(for topic: TopicARN) -> String {
        """
        You have chosen to subscribe to the topic \(topic).
        To confirm the subscription, visit the SubscribeURL included in this message.
        """
    }

    /// The text that follows the end of a subscription.
    static func unsubscribeMessage(for subscription: SubscriptionARN) -> String {
        """
        You have chosen to deactivate subscription \(subscription).
        To cancel this operation and restore the subscription, visit the SubscribeURL included in this message.
        """
    }

    /// What is signed: names and values, a line each, in the order of the names.
    var canonicalText: String {
        var members = [("Message", message), ("MessageId", messageID)]
        switch kind {
        case .notification(let subject, _, _):
            if let subject { members.append(("Subject", subject)) }
            members.append(("Timestamp", time))
        case .subscriptionConfirmation(let token, let url), .unsubscribeConfirmation(let token, let url):
            members += [("SubscribeURL", url), ("Timestamp", time), ("Token", token)]
        }
        members += [("TopicArn", topic.description), ("Type", kind.name)]
        return members.map { "\($0)\n\($1)\n" }.joined()
    }

    /// The envelope with its signature, as JSON.
    func json(_ signature: EnvelopeSignature) -> [UInt8] {
        var members: [(String, String)] = [("Type", kind.name), ("MessageId", messageID)]
        if let sequenceNumber { members.append(("SequenceNumber", sequenceNumber)) }
        if case .subscriptionConfirmation(let token, _) = kind { members.append(("Token", token)) }
        if case .unsubscribeConfirmation(let token, _) = kind { members.append(("Token", token)) }
        members.append(("TopicArn", topic.description))
        if case .notification(let subject?, _, _) = kind { members.append(("Subject", subject)) }
        members.append(("Message", message))
        switch kind {
        case .subscriptionConfirmation(_, let url), .unsubscribeConfirmation(_, let url):
            members.append(("SubscribeURL", url))
        case .notification: break
        }
        members += [
            ("Timestamp", time), ("SignatureVersion", signature.version.rawValue), ("Signature", signature.text),
            ("SigningCertURL", signature.certificateURL),
        ]
        var writer = EnvelopeWriter()
        if case .notification(_, let url, let attributes) = kind {
            members.append(("UnsubscribeURL", url))
            writer.object(members, attributes)
        } else {
            writer.object(members, [])
        }
        return writer.bytes
    }

    /// `2026-11-21T09:14:08.000Z`
    private var time: String { UTCTime(timestamp).description }
}

/// Writes an envelope's JSON with its members in the order of AWS's, a line each.
struct EnvelopeWriter {
    private(set) var bytes: [UInt8] = []

    /// Writes texts and, where there are any, the message attributes.
    mutating func object(_ members: [(String, String)], _ attributes: [Envelope.Attribute]) {
        bytes += "{\n".utf8
        for (index, member) in members.enumerated() {
            bytes += index == 0 ? "  ".utf8 : ",\n  ".utf8
            pair(member.0, member.1)
        }
        if !attributes.isEmpty {
            bytes += ",\n  \"MessageAttributes\" : {\n".utf8
            for (index, attribute) in attributes.enumerated() {
                bytes += index == 0 ? "    ".utf8 : ",\n    ".utf8
                string(attribute.name)
                bytes += " : {".utf8
                pair("Type", attribute.type)
                bytes += ", ".utf8
                pair("Value", attribute.value)
                bytes += "}".utf8
            }
            bytes += "\n  }".utf8
        }
        bytes += "\n}".utf8
    }

    private mutating func pair(_ name: String, _ value: String) {
        string(name)
        bytes += " : ".utf8
        string(value)
    }

    /// A text of JSON (RFC 8259, section 7): escaped is what must be.
    private mutating func string(_ text: String) {
        let digits = Array("0123456789abcdef".utf8)
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case UInt8(ascii: "\n"): bytes += "\\n".utf8
            case UInt8(ascii: "\r"): bytes += "\\r".utf8
            case UInt8(ascii: "\t"): bytes += "\\t".utf8
            case 0..<0x20: bytes += Array("\\u00".utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
