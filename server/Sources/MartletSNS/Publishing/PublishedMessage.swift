import MartletCore

/// A message as it is published: to a topic, to an endpoint, or as an entry of a batch.
struct PublishedMessage: Hashable, Sendable {
    /// The most bytes that message and attributes have together: 256 KiB (Amazon SNS, Publish).
    static let limit = 262_144
    /// The longest subject, in characters (Amazon SNS, Publish).
    static let longestSubject = 100

    /// The message as it was sent; ``text()`` reads it.
    let message: String
    let subject: String?
    let attributes: [MessageAttribute]
    let mobile: MobileAttributes
    let person: PersonAttributes
    /// What keeps messages of a FIFO topic in order.
    let groupID: String?
    /// What tells a message of a FIFO topic from its repetition.
    let deduplicationID: String?
    private let structure: String?

    /// How much it counts of what a request may have.
    var size: Int { attributes.reduce(message.utf8.count) { $0 + $1.size } }

    /// Notes which required members a request or an entry lacks.
    static func require(in form: FormParameters, _ missing: inout MissingMembers) throws(SNSError) {
        missing.require("Message", in: form)
        for entry in try form.structureMap("MessageAttributes") { MessageAttribute.require(entry, in: &missing) }
    }

    /// Reads a message whose required members are there.
    ///
    /// - Throws: `ParameterValueInvalid` and `InvalidParameter` in AWS's words; ``check()`` and ``text()`` say the rest.
    init(_ form: FormParameters) throws(SNSError) {
        var attributes: [MessageAttribute] = []
        for entry in try form.structureMap("MessageAttributes") { attributes.append(try MessageAttribute(entry)) }
        self.attributes = attributes
        mobile = try MobileAttributes(attributes)
        person = try PersonAttributes(attributes)
        message = try form.required("Message")
        subject = try form.string("Subject")
        structure = try form.string("MessageStructure")
        groupID = try Self.word("MessageGroupId", in: form)
        deduplicationID = try Self.word("MessageDeduplicationId", in: form)
    }

    /// A message of the server's own, such as an endpoint event.
    init(message: String, subject: String?) {
        self.message = message
        self.subject = subject
        attributes = []
        mobile = MobileAttributes()
        person = PersonAttributes()
        structure = nil
        groupID = nil
        deduplicationID = nil
    }

    /// Looks at subject and message.
    ///
    /// - Throws: `InvalidParameter`: `Subject`, or `Empty message`.
    func check() throws(SNSError) {
        if let subject, !Self.isSubject(subject) { throw .invalidParameter("Subject") }
        guard !message.isEmpty else { throw .invalidParameter("Empty message") }
    }

    /// Looks at the size of one message.
    ///
    /// - Throws: `InvalidParameter`: `Message too long`.
    func checkSize() throws(SNSError) {
        guard size <= Self.limit else { throw .invalidParameter("Message too long") }
    }

    /// Reads the message by its structure.
    ///
    /// - Throws: `InvalidParameter`.
    func text() throws(SNSError) -> PublishedText { try PublishedText(message, structure: structure) }

    /// What filters look at. Of a message with a text for each protocol that is the default.
    func filtered(_ text: PublishedText) -> TopicMessage {
        var seen: [String: TopicMessage.Attribute] = [:]
        for attribute in attributes {
            seen[attribute.name] = TopicMessage.Attribute(type: attribute.type, value: attribute.value)
        }
        return TopicMessage(attributes: seen, body: text.defaultText)
    }

    /// Without control characters and line breaks, and not longer than Amazon's.
    private static func isSubject(_ text: String) -> Bool {
        (1...longestSubject).contains(text.count) && text.utf8.count <= 8 * longestSubject
            && !text.unicodeScalars.contains { scalar in
                switch scalar.properties.generalCategory {
                case .control, .lineSeparator, .paragraphSeparator: true
                default: false
                }
            }
    }

    /// 1 to 128 letters, digits and punctuation marks of ASCII (Amazon SNS, Publish); an empty one is none.
    private static func word(_ name: String, in form: FormParameters) throws(SNSError) -> String? {
        guard let word = try form.string(name), !word.isEmpty else { return nil }
        guard word.utf8.count <= 128, word.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw .invalidParameter(
                name,
                reason: "\(name) can only include alphanumeric and punctuation characters. 1 to 128 in length"
            )
        }
        return word
    }
}

/// What a published message says: one text for all, or with `MessageStructure=json` a text for each protocol.
struct PublishedText: Hashable, Sendable {
    /// The message as it was sent.
    let message: String
    /// The text of each protocol; `nil` where there is one for all.
    let parts: [String: String]?

    /// The key of what every protocol gets that has no text of its own.
    static let defaultKey = "default"

    /// A text for all.
    init(_ message: String) {
        self.message = message
        parts = nil
    }

    /// Reads a message.
    ///
    /// - Parameter structure: the parameter `MessageStructure`; all but `json` is as if it were not there.
    /// - Throws: `InvalidParameter` in AWS's words for what is no JSON object.
    init(_ message: String, structure: String?) throws(SNSError) {
        guard structure == "json" else {
            self.init(message)
            return
        }
        guard let parts = JSONTopLevel.strings(of: message) else {
            throw .invalidParameter("Message Structure - JSON message body failed to parse")
        }
        self.init(message, parts: parts)
    }

    private init(_ message: String, parts: [String: String]) {
        self.message = message
        self.parts = parts
    }

    /// The text for protocols without one of their own; `nil` where the message has only texts of certain protocols.
    var defaultText: String? { parts == nil ? message : parts?[Self.defaultKey] }

    /// Looks whether there is a text for everybody, as a topic needs.
    ///
    /// - Throws: `InvalidParameter`.
    func requireDefault() throws(SNSError) {
        guard defaultText != nil else {
            throw .invalidParameter("Message Structure - No default entry in JSON message body")
        }
    }

    /// The text for a protocol such as `https`.
    func text(for name: String) -> String? { parts?[name] ?? defaultText }

    /// What a platform gets: the text of its own key, which is a payload, or else the default.
    enum PlatformText: Hashable, Sendable {
        case payload(String)
        case plain(String)
    }

    /// Whose text an app gets that is several of SNS's platforms, as an app with a credential for both of APNs'
    /// environments is: a notification has one payload for each provider, so that is the first platform that has a text of
    /// its own.
    ///
    /// - Parameter kinds: production before sandbox; at least one.
    func kind(among kinds: [PlatformApplication.Kind]) -> PlatformApplication.Kind {
        kinds.first { payload(for: $0) != nil } ?? kinds[0]
    }

    /// What a platform gets; `nil` when the message has nothing for it.
    func text(for kind: PlatformApplication.Kind) -> PlatformText? {
        if let payload = payload(for: kind) { return .payload(payload) }
        return defaultText.map(PlatformText.plain)
    }

    /// The text of a platform's own key; Google's service is called by either of its names.
    private func payload(for kind: PlatformApplication.Kind) -> String? {
        if let own = parts?[kind.rawValue] { return own }
        return kind.isGoogle ? parts?[(kind == .gcm ? PlatformApplication.Kind.fcm : .gcm).rawValue] : nil
    }
}
