public import MartletCore

/// The rules for the tokens of Apple's devices.
public enum APNsToken {
    /// A token in lower case: an even number of hexadecimal digits, 1 to 200 bytes (2 to 400 digits). Apple says that the
    /// length may change, so it is not fixed at 32 bytes.
    ///
    /// - Throws: `Failure` naming the field.
    public static func normalize(_ token: String, field: String) throws(Failure) -> String {
        let digits = token.utf8
        guard (2...400).contains(digits.count) else {
            throw .invalid(field, "An APNs token has 2 to 400 hexadecimal digits; this one has \(digits.count).")
        }
        guard digits.count.isMultiple(of: 2) else {
            throw .invalid(
                field,
                "An APNs token has an even number of hexadecimal digits; this one has \(digits.count)."
            )
        }
        guard digits.allSatisfy(isHexDigit) else {
            throw .invalid(
                field,
                "An APNs token has only hexadecimal digits.",
                hint: "Send the bytes of the token as hex: token.map { String(format: \"%02x\", $0) }.joined()"
            )
        }
        return token.lowercased()
    }

    static func isHexDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte) || (0x41...0x46).contains(byte)
    }
}
