import MartletCore

/// Makes a tree of the parameters of a request: of its query, of its body, or of both.
///
/// A name that comes twice is refused, `Action` among them: which of two values counts must not depend on who reads.
/// A name that is not ASCII is none of the API and is passed over, as every unknown name is.
struct FormParser {
    /// The most parameters of a request. Ours: ten entries of a batch with 40 attributes each have 1,660.
    static let mostParameters = 2_000
    /// The most bytes of a request. Ours: a message of 256 KiB has 786,432 when every byte of it is escaped.
    static let mostBytes = 1_048_576
    /// The most names in a row; the API's deepest is `PublishBatchRequestEntries.member.1.MessageAttributes.entry.1.`
    /// `Value.DataType`.
    static let deepest = 8

    private(set) var root = FormNode()
    private var count = 0
    private var bytesRead = 0

    /// Takes in the parameters of a query or a body.
    ///
    /// - Throws: `MalformedInput` for what is no form or names a parameter twice; `RequestEntityTooLarge`.
    mutating func read(_ bytes: ArraySlice<UInt8>) throws(SNSError) {
        bytesRead += bytes.count
        guard bytesRead <= Self.mostBytes else {
            throw .tooLarge("The request has more than \(Self.mostBytes) bytes.")
        }
        var start = bytes.startIndex
        while start < bytes.endIndex {
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "&")) ?? bytes.endIndex
            if start < end { try readOne(bytes[start..<end]) }
            start = end + 1
        }
    }

    private mutating func readOne(_ parameter: ArraySlice<UInt8>) throws(SNSError) {
        count += 1
        guard count <= Self.mostParameters else {
            throw .malformedInput("The request has more than \(Self.mostParameters) parameters.")
        }
        let split = parameter.firstIndex(of: UInt8(ascii: "=")) ?? parameter.endIndex
        guard let name = FormDecoding.text(parameter[..<split]),
            let value = FormDecoding.text(parameter[split...].dropFirst())
        else { throw .malformedInput("A parameter is not UTF-8 in the form application/x-www-form-urlencoded.") }
        guard name.utf8.allSatisfy({ $0 < 0x80 }), !name.isEmpty else { return }
        let names = name.split(separator: ".", maxSplits: Self.deepest, omittingEmptySubsequences: false)
        guard names.count <= Self.deepest else { throw .malformedInput("A parameter's name has too many parts.") }
        guard root.insert(value, at: names[...]) else {
            throw .malformedInput("The parameter \(name.excerpt) is given more than once.")
        }
    }
}

/// A part of a form's tree: what stands at a name, and what stands below it.
///
/// `Tags.member.1.Key=k` is the value `k` of `Key` below `1` below `member` below `Tags`.
struct FormNode: Hashable, Sendable {
    /// What was sent under this name itself.
    var value: String?
    /// What was sent under names that begin with this one and a dot. The names are ASCII.
    var members: [String: FormNode] = [:]

    /// Puts a value below this node; false when there is one already.
    mutating func insert(_ value: String, at names: ArraySlice<Substring>) -> Bool {
        guard let name = names.first else {
            guard self.value == nil else { return false }
            self.value = value
            return true
        }
        return members[String(name), default: FormNode()].insert(value, at: names.dropFirst())
    }
}

/// `application/x-www-form-urlencoded` (WHATWG URL, section 5), read strictly: what is not a sequence of `%` and two
/// hexadecimal digits, and what does not become UTF-8, is refused and not guessed.
enum FormDecoding {
    /// The text that a name or a value stands for; `nil` when it stands for none.
    static func text(_ bytes: ArraySlice<UInt8>) -> String? {
        guard bytes.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) else {
            return String(validating: bytes, as: UTF8.self)
        }
        return decoded(bytes, plusIsSpace: true).flatMap { String(validating: $0, as: UTF8.self) }
    }

    /// The bytes that a name or a value stands for; `nil` when a `%` has no two hexadecimal digits behind it.
    static func decoded(_ bytes: ArraySlice<UInt8>, plusIsSpace: Bool) -> [UInt8]? {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let byte = bytes[index]
            index += 1
            switch byte {
            case UInt8(ascii: "+") where plusIsSpace: result.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard index + 1 < bytes.endIndex, let high = Hex.value(bytes[index]),
                    let low = Hex.value(bytes[index + 1])
                else { return nil }
                result.append(high << 4 | low)
                index += 2
            default: result.append(byte)
            }
        }
        return result
    }
}
