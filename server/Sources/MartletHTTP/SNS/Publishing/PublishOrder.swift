import Crypto
import MartletCore

extension PublishedMessage {
    /// What a topic knows the message by.
    ///
    /// - Returns: `nil` for a topic that keeps no order.
    /// - Throws: `InvalidParameter` in AWS's words when a FIFO topic lacks what it needs, or another has too much.
    func order(on topic: Topic) throws(SNSError) -> PublicationOrder? {
        guard topic.isFIFO else {
            guard deduplicationID == nil else {
                throw .invalidParameter(
                    "MessageDeduplicationId",
                    reason:
                        "The request includes MessageDeduplicationId parameter that is not valid for this topic type"
                )
            }
            return nil
        }
        guard let groupID else {
            throw .invalidParameter("The MessageGroupId parameter is required for FIFO topics")
        }
        let isByContent = topic.attributes["ContentBasedDeduplication"]?.lowercased() == "true"
        guard let id = deduplicationID ?? (isByContent ? contentHash : nil) else {
            throw .invalidParameter(
                """
                The topic should either have ContentBasedDeduplication enabled or MessageDeduplicationId provided \
                explicitly
                """
            )
        }
        // The group's length in front, so that no two pairs are the same text.
        let isPerGroup = topic.attributes["FifoThroughputScope"] == "MessageGroup"
        let scope = isPerGroup ? "\(groupID.utf8.count):\(groupID)" : ""
        return PublicationOrder(deduplication: SecretHash(of: "\(scope)/\(id)"))
    }

    /// SHA-256 of the message, without its attributes (Amazon SNS, "Message deduplication for FIFO topics").
    private var contentHash: String { Hex.text(SHA256.hash(data: Array(message.utf8))) }
}

extension Published {
    /// The message's place as clients see it.
    var sequenceText: String? { sequenceNumber.map(place) }
}

extension WebhookDelivery {
    /// The message's place as subscribers see it, the same as its publisher was told.
    var sequenceText: String? { sequenceNumber.map(place) }
}

/// A place among a topic's messages: 20 digits, so that texts sort as their numbers do.
private func place(_ number: Int64) -> String {
    let digits = String(number)
    return "1" + String(repeating: "0", count: max(0, 19 - digits.count)) + digits
}
