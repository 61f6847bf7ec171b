extension APNsCheck {
    /// Apple: an `apns-collapse-id` has at most 64 bytes.
    static let collapseIDLimit = 64

    func checkPriority(for type: PushType) throws(Refusal) {
        // Apple: "If you omit this header, APNs sets the notification priority to 10."
        let text = request.priority ?? "10"
        guard let priority = Self.number(text), type.priorities.contains(Int(priority)) else {
            throw Refusal(.badPriority)
        }
    }

    /// Seconds that do not fit 32 bits are refused: milliseconds by mistake, the common error, are caught by that.
    /// The bound is an assumption; Apple says "a UNIX epoch expressed in seconds".
    func checkExpiration(for type: PushType) throws(Refusal) {
        guard let text = request.expiration else { return }
        guard let seconds = Self.number(text), seconds <= UInt64(UInt32.max) else { throw Refusal(.badExpirationDate) }
        // Apple asks a push-to-talk push to be sent with expiration 0; that another value is refused is an assumption.
        if type == .pushtotalk, seconds != 0 { throw Refusal(.badExpirationDate) }
    }

    func checkCollapseID() throws(Refusal) {
        if let id = request.collapseID, id.utf8.count > Self.collapseIDLimit { throw Refusal(.badCollapseID) }
    }

    func checkID() throws(Refusal) {
        if let id = request.id, !Self.isUUID(id) { throw Refusal(.badMessageID) }
    }

    /// Whether the text is a UUID in groups of 8-4-4-4-12 hexadecimal digits.
    static func isUUID(_ text: String) -> Bool {
        let bytes = text.utf8
        guard bytes.count == 36 else { return false }
        var position = 0
        for byte in bytes {
            let isHyphen = position == 8 || position == 13 || position == 18 || position == 23
            guard isHyphen ? byte == UInt8(ascii: "-") : byte.isHexDigit else { return false }
            position += 1
        }
        return true
    }

    private static func number(_ text: String) -> UInt64? {
        text.utf8.allSatisfy(\.isDigit) ? UInt64(text) : nil
    }
}
