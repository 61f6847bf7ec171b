import MartletCore

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
        kinds.first { parts?[$0.rawValue] != nil } ?? kinds[0]
    }

    /// What a platform gets; `nil` when the message has nothing for it.
    func text(for kind: PlatformApplication.Kind) -> PlatformText? {
        if let payload = parts?[kind.rawValue] { return .payload(payload) }
        return defaultText.map(PlatformText.plain)
    }
}
