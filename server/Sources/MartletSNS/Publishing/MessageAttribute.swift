import Foundation
import MartletCore
import MartletWire

/// An attribute of a published message: what filters look at, and what web subscribers get.
struct MessageAttribute: Hashable, Sendable {
    /// The longest name, in bytes (Amazon SNS, "Message attributes").
    static let longestName = 256

    let name: String
    /// `String`, `Number` or `Binary`, with what stands behind a dot: `String.Array`.
    let type: String
    /// The text; the bytes of a binary one in base64.
    let value: String
    /// How much it counts of what a message may have: name, type and value, a binary one before base64.
    let size: Int

    /// Whether the value is bytes.
    var isBinary: Bool { Self.prefix(of: type) == "Binary" }

    /// Notes which required members an entry lacks.
    static func require(_ entry: FormEntry<FormParameters>, in missing: inout MissingMembers) {
        missing.require("DataType", in: entry.value)
    }

    /// Reads an entry of `MessageAttributes`.
    ///
    /// - Throws: `ParameterValueInvalid` in AWS's words; `MalformedInput` for bytes that are not base64.
    init(_ entry: FormEntry<FormParameters>) throws(SNSError) {
        name = entry.key
        try Self.check(name: name)
        type = try entry.value.required("DataType")
        let text = try entry.value.string("StringValue")
        let bytes = try entry.value.string("BinaryValue")
        let prefix = Self.prefix(of: type)
        // What stands behind a dot may be anything but nothing.
        guard ["Binary", "Number", "String"].contains(prefix), type.dropFirst(prefix.count) != "." else {
            throw Self.invalid(
                """
                The message attribute '\(name)' has an invalid message attribute type, the set of supported type \
                prefixes is Binary, Number, and String.
                """
            )
        }
        let (own, other) = prefix == "Binary" ? (bytes, text) : (text, bytes)
        if own == nil, other != nil {
            let field = prefix == "Binary" ? "Binary" : "String"
            throw Self.invalid("The message attribute '\(name)' with type '\(type.excerpt)' must use field '\(field)'.")
        }
        guard let own, !own.isEmpty else {
            throw Self.invalid(
                """
                The message attribute '\(name)' must contain non-empty message attribute value for message attribute \
                type '\(type.excerpt)'.
                """
            )
        }
        value = own
        size = name.utf8.count + type.utf8.count + (try Self.size(of: own, prefix: prefix))
        if prefix == "Number", type != "Number.Array" { try Self.check(number: own, of: name) }
    }

    /// Looks whether a name is one.
    ///
    /// - Throws: `ParameterValueInvalid`.
    static func check(name: String) throws(SNSError) {
        guard !name.isEmpty else { throw invalid("The message attribute name must not be empty.") }
        guard name.utf8.count <= longestName else {
            throw invalid("Length of message attribute name must be less than 256 bytes.")
        }
        for unit in name.utf16 where !isNameUnit(unit) {
            let code = String(unit, radix: 16, uppercase: true)
            throw invalid(
                """
                Invalid non-alphanumeric character '#x\(code)' was found in the message attribute name. Can only include \
                alphanumeric characters, hyphens, underscores, or dots.
                """
            )
        }
        if name.hasPrefix(".") {
            throw invalid("Invalid message attribute name starting with character '.' was found.")
        }
        if name.hasSuffix(".") {
            throw invalid("Invalid message attribute name ending with character '.' was found.")
        }
        if name.contains("..") { throw invalid("Message attribute name can not have successive '.' character.") }
    }

    private static func prefix(of type: String) -> Substring { type.prefix { $0 != "." } }

    private static func size(of value: String, prefix: Substring) throws(SNSError) -> Int {
        guard prefix == "Binary" else { return value.utf8.count }
        guard let bytes = Data(base64Encoded: value) else {
            throw .malformedInput("A binary value is not base64.")
        }
        return bytes.count
    }

    private static func check(number: String, of name: String) throws(SNSError) {
        // Swift reads hexadecimal numbers and words too.
        let isDecimal = number.utf8.allSatisfy { "0123456789+-.eE".utf8.contains($0) }
        guard isDecimal, let number = Double(number), number.isFinite else {
            throw invalid("Could not cast message attribute '\(name)' value to number.")
        }
    }

    private static func isNameUnit(_ unit: UInt16) -> Bool {
        switch unit {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
        default: false
        }
    }

    private static func invalid(_ message: String) -> SNSError { SNSError(.parameterValueInvalid, message) }
}

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
        switch timesToLive[kind.isGoogle ? "GCM" : kind.rawValue] {
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

extension HeaderText {
    /// - Throws: `InvalidParameter`, naming the parameter or attribute, for a text that cannot be a field's value.
    static func check(_ text: String, parameter: String) throws(SNSError) {
        guard isSafe(text) else {
            throw .invalidParameter(parameter, reason: "must contain only printable ASCII characters")
        }
    }
}
