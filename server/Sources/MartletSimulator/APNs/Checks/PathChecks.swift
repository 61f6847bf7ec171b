extension APNsCheck {
    /// Device tokens have 32 bytes today; Apple asks not to rely on it, so up to 100 bytes are well-formed.
    static let tokenLengths = 64...200

    func checkMethod() throws(Refusal) {
        guard request.method == "POST" else { throw Refusal(.methodNotAllowed) }
    }

    func deviceToken() throws(Refusal) -> String {
        let prefix = "/3/device"
        guard request.path.hasPrefix(prefix) else { throw Refusal(.badPath) }
        let rest = request.path.utf8.dropFirst(prefix.utf8.count)
        if rest.isEmpty { throw Refusal(.missingDeviceToken) }
        guard rest.first == UInt8(ascii: "/") else { throw Refusal(.badPath) }
        let token = rest.dropFirst()
        if token.isEmpty { throw Refusal(.missingDeviceToken) }
        if token.contains(UInt8(ascii: "/")) { throw Refusal(.badPath) }
        guard Self.isWellFormedToken(token) else { throw Refusal(.badDeviceToken) }
        let text = String(Substring(token))
        return token.contains { $0 >= UInt8(ascii: "A") && $0 <= UInt8(ascii: "F") } ? text.lowercased() : text
    }

    /// Whether the characters are whole bytes in hexadecimal, of a length that a device token can have.
    static func isWellFormedToken(_ token: some Collection<UInt8>) -> Bool {
        tokenLengths.contains(token.count) && token.count.isMultiple(of: 2) && token.allSatisfy(\.isHexDigit)
    }

    func checkRepetition() throws(Refusal) {
        if request.repeatedHeader != nil { throw Refusal(.duplicateHeaders) }
    }
}
