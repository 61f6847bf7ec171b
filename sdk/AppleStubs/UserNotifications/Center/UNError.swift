/// The domain of the framework's errors.
public let UNErrorDomain = "UNErrorDomain"

/// An error of the framework.
public struct UNError: CustomNSError, Hashable, Sendable {
    /// What went wrong.
    public enum Code: Int, Sendable {
        /// The app may not notify.
        case notificationsNotAllowed = 1
        /// The file is not there.
        case attachmentInvalidURL = 100
        /// No type of file that notifications show.
        case attachmentUnrecognizedType = 101
        /// Empty, or larger than its kind may be.
        case attachmentInvalidFileSize = 102
        /// The file is not in the system's store.
        case attachmentNotInDataStore = 103
        /// The file could not be moved into the system's store.
        case attachmentMoveIntoDataStoreFailed = 104
        /// The file's bytes are not what its type says.
        case attachmentCorrupt = 105
        /// A trigger without a date.
        case notificationInvalidNoDate = 1400
        /// A request without content.
        case notificationInvalidNoContent = 1401
        /// A number that an icon cannot show.
        case badgeInputInvalid = 1600
    }

    /// What went wrong.
    public let code: Code

    /// An error with this code.
    public init(_ code: Code) {
        self.code = code
    }

    /// Apple's domain.
    public static var errorDomain: String { UNErrorDomain }
    /// Apple's number.
    public var errorCode: Int { code.rawValue }
}
