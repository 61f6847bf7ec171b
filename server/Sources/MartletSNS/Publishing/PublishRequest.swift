import MartletCore

/// What a `Publish` asks for.
struct PublishRequest: Sendable {
    let target: TargetARN
    let message: PublishedMessage

    /// Reads a request. Whether there is such a topic or endpoint is not checked here.
    ///
    /// - Throws: `SNSError` in AWS's words.
    init(_ form: FormParameters, in scope: ARNScope) throws(SNSError) {
        var missing = MissingMembers()
        try PublishedMessage.require(in: form, &missing)
        try missing.check()
        let message = try PublishedMessage(form)
        try message.check()
        target = try Self.target(form, in: scope)
        try message.checkSize()
        self.message = message
    }

    private static func target(_ form: FormParameters, in scope: ARNScope) throws(SNSError) -> TargetARN {
        let topic = try form.string("TopicArn")
        let target = try form.string("TargetArn")
        let number = try form.string("PhoneNumber")
        guard [topic, target, number].count(where: { $0 != nil }) < 2 else {
            throw .invalidParameter(
                "TopicArn",
                reason: "Only one of TopicArn, TargetArn and PhoneNumber can be specified"
            )
        }
        if let topic { return .topic(try TopicARN(topic, in: scope)) }
        if let target { return try TargetARN(target, in: scope) }
        guard let number else {
            throw .invalidParameter("TopicArn or TargetArn", reason: "no value for required parameter")
        }
        guard isPhoneNumber(number) else {
            throw .invalidParameter("PhoneNumber", reason: "\(number.excerpt) is not valid to publish to")
        }
        throw .invalidParameter("PhoneNumber", reason: "This server does not send text messages")
    }

    /// E.164: at most fifteen digits behind a plus sign, which may be missing.
    private static func isPhoneNumber(_ text: String) -> Bool {
        let digits = text.hasPrefix("+") ? text.dropFirst() : text[...]
        return (2...15).contains(digits.utf8.count) && digits.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
}

/// What a `PublishBatch` asks for.
struct PublishBatchRequest: Sendable {
    /// The most entries (Amazon SNS, PublishBatch).
    static let limit = 10
    /// The longest id of an entry, in bytes (Amazon SNS, PublishBatchRequestEntry).
    static let longestID = 80

    /// One message of a batch.
    struct Entry: Sendable {
        let id: String
        let message: PublishedMessage
    }

    let topic: TopicARN
    let entries: [Entry]

    /// Reads a request. Whether there is such a topic is not checked here.
    ///
    /// - Throws: `SNSError` in AWS's words for what the whole call is refused for.
    init(_ form: FormParameters, in scope: ARNScope) throws(SNSError) {
        let structures = try form.structures("PublishBatchRequestEntries")
        var missing = MissingMembers()
        missing.require("TopicArn", in: form)
        for structure in structures {
            missing.require("Id", in: structure)
            try PublishedMessage.require(in: structure, &missing)
        }
        try missing.check()
        topic = try TopicARN(try form.required("TopicArn"), in: scope)
        guard !structures.isEmpty else {
            throw SNSError(.emptyBatchRequest, "The batch request doesn't contain any entries.")
        }
        guard structures.count <= Self.limit else {
            throw SNSError(
                .tooManyEntriesInBatchRequest,
                "The batch request contains more entries than permissible."
            )
        }
        var entries: [Entry] = []
        var ids: Set<String> = []
        for structure in structures {
            let id = try structure.required("Id")
            try Self.check(id)
            guard ids.insert(id).inserted else {
                throw SNSError(
                    .batchEntryIDsNotDistinct,
                    "Two or more batch entries in the request have the same Id."
                )
            }
            entries.append(Entry(id: id, message: try PublishedMessage(structure)))
        }
        guard entries.reduce(0, { $0 + $1.message.size }) <= PublishedMessage.limit else {
            throw SNSError(
                .batchRequestTooLong,
                "The length of all the messages put together is more than the limit."
            )
        }
        self.entries = entries
    }

    private static func check(_ id: String) throws(SNSError) {
        let problem: String
        if id.isEmpty {
            problem = "is empty"
        } else if id.utf8.count > longestID {
            problem = "is too long: \(id.excerpt)"
        } else if !id.utf8.allSatisfy(isWord) {
            problem = "contains an impermissible character: \(id)"
        } else {
            return
        }
        throw SNSError(.invalidBatchEntryID, "The Id of a batch entry in the batch request \(problem)")
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: true
        default: false
        }
    }
}
