public import MartletCore

/// The rules for the tokens of Apple's devices.
public enum APNsToken {
    /// A token in lower case: an even number of hexadecimal digits, 1 to 200 bytes (2 to 400 digits). Apple says that the
    /// length may change, so it is not fixed at 32 bytes.
    ///
    /// - Throws: `Failure` naming the field.
    public static func normalize(_ token: String, field: String) throws(Failure) -> String {
        try refuseOthers(token, field: field)
        let digits = token.utf8
        // Digits are counted only where there are digits: the number of letters in 'undefined' says nothing.
        guard digits.allSatisfy(isHexDigit) else {
            throw .invalid(field, "An APNs token has only hexadecimal digits.", hint: asHex)
        }
        guard (2...400).contains(digits.count) else {
            throw .invalid(field, "An APNs token has 2 to 400 hexadecimal digits; this one has \(digits.count).")
        }
        guard digits.count.isMultiple(of: 2) else {
            throw .invalid(
                field,
                "An APNs token has an even number of hexadecimal digits; this one has \(digits.count).",
                hint: asHex
            )
        }
        return token.lowercased()
    }

    private static let asHex =
        "Send the bytes of the token as hex: token.map { String(format: \"%02x\", $0) }.joined()"

    /// Refuses a text that is known not to be an APNs token, and says what it is.
    private static func refuseOthers(_ token: String, field: String) throws(Failure) {
        if token.hasPrefix("{length") || token.hasPrefix("<") && token.hasSuffix(">") {
            throw .invalid(field, "This is a description of the token's bytes, not the token.", hint: asHex)
        }
        if token.contains(":"), FCMToken.isPlain(token) {
            throw .invalid(field, "This looks like a registration token of FCM.", hint: "Its platform is fcm.")
        }
        if token.hasPrefix("ExponentPushToken[") || token.hasPrefix("ExpoPushToken[") {
            throw .invalid(
                field,
                "This looks like a token of Expo's push service.",
                hint: "Send the device's own token: getDevicePushTokenAsync() gives it."
            )
        }
        if token.hasPrefix("https://") {
            throw .invalid(field, "This looks like a browser's subscription.", hint: "Its platform is webpush.")
        }
    }

    static func isHexDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte) || (0x41...0x46).contains(byte)
    }
}
