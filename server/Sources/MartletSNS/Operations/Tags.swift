import MartletCore
import MartletStore
import MartletWire

/// Tags, which topics have.
extension SNSService {
    func tagResource(_ call: SNSCall) async throws -> SNSResult? {
        try require("Tags", in: call)
        let tags = try Tag.list(call.form)
        let topic = try await resource(of: call)
        guard topic.tags.merging(tags, uniquingKeysWith: { $1 }).count <= Topic.tagLimit else {
            throw SNSError.tagLimit
        }
        try await updateTags(of: topic, tags.mapValues(Optional.some), call)
        return { _ in }
    }

    func untagResource(_ call: SNSCall) async throws -> SNSResult? {
        try require("TagKeys", in: call)
        let keys = try call.form.strings("TagKeys")
        let topic = try await resource(of: call)
        try await updateTags(of: topic, Dictionary(keys.map { ($0, nil) }, uniquingKeysWith: { $1 }), call)
        return { _ in }
    }

    func listTagsForResource(_ call: SNSCall) async throws -> SNSResult? {
        let tags = try await resource(of: call).tags.sorted { $0.key < $1.key }
        return { writer in
            writer.list("Tags", tags) { writer, tag in
                writer.element("Key", tag.key)
                writer.element("Value", tag.value)
            }
        }
    }

    private func require(_ name: String, in call: SNSCall) throws {
        var missing = MissingMembers()
        missing.require("ResourceArn", name, in: call.form)
        try missing.check()
    }

    /// The topic whose tags a call is about.
    private func resource(of call: SNSCall) async throws -> Topic {
        let arn = try TopicARN(call.form.required("ResourceArn"), parameter: "ResourceArn", in: call.scope)
        guard let topic = try await store.topic(.name(arn.name, app: nil, region: arn.region)) else {
            throw SNSError.resourceNotFound
        }
        return topic
    }

    private func updateTags(of topic: Topic, _ tags: [String: String?], _ call: SNSCall) async throws {
        do {
            let changed = try await store.updateTopic(topic.row, TopicUpdate(tags: tags))
            await recordUpdate(of: topic, to: changed, by: call)
        } catch let failure as Failure where failure.code == .notFound {
            throw SNSError.resourceNotFound
        } catch let failure as Failure where failure.detail.field == "tags" {
            // Keys and values were looked at: others tagged the topic meanwhile.
            throw SNSError.tagLimit
        }
    }
}

/// A tag of a request.
enum Tag {
    /// The most characters of a key and of a value (Amazon SNS, Tag).
    private static let (keyLimit, valueLimit) = (128, 256)

    /// The tags of a request, by key.
    ///
    /// - Throws: `SNSError` in AWS's words for a tag without a key or a value, for one that is too long, for a key that
    ///   comes twice, and for more than 50.
    static func list(_ form: FormParameters) throws(SNSError) -> [String: String] {
        var tags: [String: String] = [:]
        for structure in try form.structures("Tags") {
            var missing = MissingMembers()
            missing.require("Key", "Value", in: structure)
            try missing.check()
            let key = try structure.required("Key")
            let value = try structure.required("Value")
            try check(key, 1...keyLimit, at: structure.path(of: "Key"))
            try check(value, 0...valueLimit, at: structure.path(of: "Value"))
            guard !key.lowercased().hasPrefix("aws:") else {
                throw .invalidParameter(
                    "Tags",
                    reason: "aws: prefixed tag key names are not allowed for external use."
                )
            }
            guard tags.updateValue(value, forKey: key) == nil else {
                throw .invalidParameter("Duplicated keys are not allowed.")
            }
        }
        guard tags.count <= Topic.tagLimit else { throw .tagLimit }
        try PersonTags.check(tags)
        return tags
    }

    private static func check(_ text: String, _ range: ClosedRange<Int>, at path: String) throws(SNSError) {
        let length = text.unicodeScalars.count
        guard !range.contains(length) else { return }
        let bound =
            length < range.lowerBound
            ? "greater than or equal to \(range.lowerBound)" : "less than or equal to \(range.upperBound)"
        throw SNSError(
            .validationError,
            """
            1 validation error detected: Value '\(text.excerpt)' at '\(path)' failed to satisfy constraint: \
            Member must have length \(bound)
            """
        )
    }
}

extension SNSError {
    /// More than 50 tags of a topic.
    static let tagLimit = SNSError(
        .tagLimitExceeded,
        "Could not complete request: tag quota of per resource exceeded"
    )
}
