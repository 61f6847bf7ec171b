import MartletCore

/// The reserved attributes that say how a push is made: `AWS.SNS.MOBILE.…` (Amazon SNS, "Using Amazon SNS message
/// attributes for mobile push").
struct MobileAttributes: Hashable, Sendable {
    /// The longest time to live, in seconds. Ours: a year, beyond what any provider keeps a push; a longer one is a slip
    /// of the unit.
    static let longestTTL: Int64 = 31_622_400

    private static let prefix = "AWS.SNS.MOBILE."

    /// The time to live in seconds of each platform that names one, by its word; `FCM` counts as `GCM`.
    private(set) var timesToLive: [String: Int64] = [:]
    private(set) var topic: String?
    private(set) var pushType: String?
    private(set) var priority: Priority?
    private(set) var collapseID: String?

    init() {}

    /// Reads the reserved ones among a message's attributes; others that begin like them are other platforms'.
    ///
    /// - Throws: `InvalidParameter` naming the attribute for a value that cannot become a header field.
    init(_ attributes: [MessageAttribute]) throws(SNSError) {
        for attribute in attributes where attribute.name.hasPrefix(Self.prefix) {
            let name = attribute.name.dropFirst(Self.prefix.count)
            if name.hasSuffix(".TTL") {
                let word = String(name.dropLast(4))
                timesToLive[word == "FCM" ? "GCM" : word] = try Self.seconds(attribute)
                continue
            }
            switch name {
            case "APNS.TOPIC": topic = try Self.headerText(attribute)
            case "APNS.PUSH_TYPE": pushType = try Self.headerText(attribute)
            case "APNS.COLLAPSE_ID": collapseID = try Self.headerText(attribute)
            case "APNS.PRIORITY": priority = try Self.priority(attribute)
            default: continue
            }
        }
    }

    /// When a push to a platform's devices is no longer worth delivering.
    func expiry(for kind: PlatformApplication.Kind, now: Timestamp) -> Submission.Expiry {
        switch timesToLive[kind.rawValue] {
        case nil: .provider
        case 0?: .immediate
        case let seconds?: .at(now + .seconds(seconds))
        }
    }

    private static func seconds(_ attribute: MessageAttribute) throws(SNSError) -> Int64 {
        let text = try headerText(attribute)
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let seconds = Int64(text),
            seconds <= longestTTL
        else {
            throw .invalidParameter(attribute.name, reason: "must be a whole number of seconds from 0 to \(longestTTL)")
        }
        return seconds
    }

    private static func priority(_ attribute: MessageAttribute) throws(SNSError) -> Priority {
        guard let priority = Int(try headerText(attribute)).flatMap(Priority.init) else {
            throw .invalidParameter(attribute.name, reason: "must be 10, 5 or 1")
        }
        return priority
    }

    private static func headerText(_ attribute: MessageAttribute) throws(SNSError) -> String {
        guard !attribute.isBinary else {
            throw .invalidParameter(attribute.name, reason: "must have the data type String or Number")
        }
        try HeaderText.check(attribute.value, parameter: attribute.name)
        return attribute.value
    }
}
