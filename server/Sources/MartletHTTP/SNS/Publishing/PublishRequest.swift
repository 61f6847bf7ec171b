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
