import MartletCore

/// The rules for what FCM knows a device by: a registration token or a Firebase Installation ID.
enum FCMToken {
    /// The longest token. Ours: Google's have about 160 characters and no published limit.
    static let limit = 4_096

    /// A Firebase Installation ID has 17 bytes in base64url without its last character (Google, "Manage Firebase
    /// installations"); a registration token is longer and has a colon.
    static let installationIDLength = 22

    /// A token as it came: letters, digits, `-`, `_`, `:`, `.`, `~` and `%`, so that none needs escaping in JSON.
    ///
    /// - Throws: `Failure` naming the field.
    static func normalize(_ token: String, field: String) throws(Failure) -> String {
        let count = token.utf8.count
        guard (1...limit).contains(count) else {
            throw .invalid(field, "An FCM token has 1 to 4,096 characters; this one has \(count).")
        }
        // What an app sends that had no token yet and made a text of what it had.
        guard !["null", "undefined", "nil", "none", "nan", "true", "false", "0"].contains(token.lowercased()) else {
            throw .invalid(field, "'\(token)' is no FCM token.", hint: "Register once getToken() has given one.")
        }
        guard isPlain(token) else {
            throw .invalid(
                field,
                "An FCM token has only letters, digits and - _ : . ~ %.",
                hint: "Send what onNewToken or onRegistered was given, as it is."
            )
        }
        // Google's have a colon, or are much shorter or longer.
        guard count != 64 || !token.utf8.allSatisfy(APNsToken.isHexDigit) else {
            throw .invalid(field, "This looks like a token of APNs.", hint: "Its platform is apns.")
        }
        return token
    }

    static func isPlain(_ token: String) -> Bool {
        !token.isEmpty
            && token.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: ":"),
                    UInt8(ascii: "."), UInt8(ascii: "~"), UInt8(ascii: "%"):
                    true
                default: false
                }
            }
    }

    /// Whether it has the form of a Firebase Installation ID.
    static func isInstallationID(_ token: String) -> Bool {
        token.utf8.count == installationIDLength && !token.utf8.contains(UInt8(ascii: ":"))
            && !token.utf8.contains { [UInt8(ascii: "."), UInt8(ascii: "~"), UInt8(ascii: "%")].contains($0) }
    }

    /// The member of a message that names the device: `fid` since 2026, `token` for what is none (fcm.v1.json of
    /// 2026-10-23).
    static func member(for token: String) -> String {
        isInstallationID(token) ? #""fid":"\#(token)""# : #""token":"\#(token)""#
    }
}
