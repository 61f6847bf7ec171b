import MartletCore
import MartletWire

/// Messages, to topics and to single endpoints. Whoever is told a message id can rely on it: the message is durable then.
extension SNSService {
    func publish(_ call: SNSCall) async throws -> SNSResult? {
        let request = try PublishRequest(call.form, in: call.scope)
        switch request.target {
        case .topic(let arn):
            let recipients = try await recipients(of: arn)
            let post = try TopicPost(request.message, on: recipients.topic)
            let published = try await publish([post], to: recipients, call)
            return { writer in
                writer.element("MessageId", published[0].id.description)
                writer.element("SequenceNumber", optional: published[0].sequenceText)
            }
        case .endpoint(let arn):
            let id = try await publish(request.message, to: arn)
            return { $0.element("MessageId", id.description) }
        }
    }

    /// What is wrong with a batch refuses all of it; what is wrong with the text of one entry, that entry.
    func publishBatch(_ call: SNSCall) async throws -> SNSResult? {
        let request = try PublishBatchRequest(call.form, in: call.scope)
        let recipients = try await recipients(of: request.topic)
        var failed: [BatchFailure] = []
        var posts: [(id: String, post: TopicPost)] = []
        for entry in request.entries {
            do throws(SNSError) { try entry.message.check() } catch {
                failed.append(BatchFailure(id: entry.id, error: error))
                continue
            }
            posts.append((entry.id, try TopicPost(entry.message, on: recipients.topic)))
        }
        let published = try await publish(posts.map(\.post), to: recipients, call)
        let successful = zip(posts, published).map { BatchSuccess(id: $0.id, published: $1) }
        return { [failed] writer in
            writer.list("Successful", successful) { $1.write(to: &$0) }
            writer.list("Failed", failed) { $1.write(to: &$0) }
        }
    }
}

/// A message that a topic can take.
struct TopicPost: Sendable {
    let message: PublishedMessage
    let text: PublishedText
    /// `nil` for a topic that keeps no order.
    let order: PublicationOrder?

    /// Looks whether a topic can take a message.
    ///
    /// - Throws: `InvalidParameter` in AWS's words.
    init(_ message: PublishedMessage, on topic: Topic) throws(SNSError) {
        // In AWS's order.
        text = try message.text()
        try text.requireDefault()
        order = try message.order(on: topic)
        self.message = message
    }
}

/// An entry of a batch that was published.
private struct BatchSuccess: Sendable {
    let id: String
    let published: Published

    func write(to writer: inout AnswerWriter) {
        writer.element("Id", id)
        writer.element("MessageId", published.id.description)
        writer.element("SequenceNumber", optional: published.sequenceText)
    }
}

/// An entry of a batch that was not.
private struct BatchFailure: Sendable {
    let id: String
    let error: SNSError

    func write(to writer: inout AnswerWriter) {
        writer.element("Id", id)
        writer.element("Code", error.code.rawValue)
        writer.element("Message", error.message)
        writer.element("SenderFault", error.code.fault == .sender)
    }
}
