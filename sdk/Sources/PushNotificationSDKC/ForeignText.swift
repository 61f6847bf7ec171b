import PushNotificationSDKCore

/// A string as C hands it in: perhaps absent, perhaps not UTF-8.
struct ForeignText {
    private let bytes: UnsafePointer<CChar>?
    private let name: String

    /// The bytes up to the zero byte, under the name that an error calls them by.
    init(_ bytes: UnsafePointer<CChar>?, named name: String) {
        self.bytes = bytes
        self.name = name
    }

    /// The text, or none for NULL.
    ///
    /// - Throws: ``PushNotificationError/invalidConfiguration(_:)``, without the bytes, when they are not UTF-8.
    func optional() throws(PushNotificationError) -> String? {
        guard let bytes else { return nil }
        guard let text = String(validatingCString: bytes) else {
            throw .invalidConfiguration("\(name) is not UTF-8 text without a zero in it")
        }
        return text
    }

    /// The text.
    ///
    /// - Throws: ``PushNotificationError/invalidConfiguration(_:)`` for NULL and for bytes that are not UTF-8.
    func required() throws(PushNotificationError) -> String {
        guard let text = try optional() else { throw .invalidConfiguration("\(name) is missing") }
        return text
    }
}
