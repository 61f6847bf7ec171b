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
