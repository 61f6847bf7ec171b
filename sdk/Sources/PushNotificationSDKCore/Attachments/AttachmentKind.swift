import Foundation

/// A kind of file that a notification can show, with Apple's limits (UNNotificationAttachment, table of supported
/// types).
package enum AttachmentKind: String, Sendable, CaseIterable {
    case image
    case audio
    case movie

    /// The most bytes of a file.
    package var limit: Int64 {
        switch self {
        case .image: 10 << 20
        case .audio: 5 << 20
        case .movie: 50 << 20
        }
    }
}

/// A file type that a notification can show.
package struct AttachmentType: Sendable, Equatable {
    /// The kind, which has the limit.
    package let kind: AttachmentKind
    /// The ending by which the system tells the type of a file.
    package let fileExtension: String

    /// Reads the value of `Content-Type`: the type alone counts, its parameters do not.
    ///
    /// - Returns: `nil` for what no notification shows, and for bytes of no said type.
    package init?(mimeType: String?) {
        let name = (mimeType ?? "").prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
        guard let type = Self.types[name] else { return nil }
        (kind, fileExtension) = type
    }

    /// Apple's table, and the names that servers use for the same.
    private static let types: [String: (AttachmentKind, String)] = [
        "image/jpeg": (.image, "jpg"), "image/jpg": (.image, "jpg"), "image/png": (.image, "png"),
        "image/gif": (.image, "gif"),
        "audio/aiff": (.audio, "aiff"), "audio/x-aiff": (.audio, "aiff"), "audio/wav": (.audio, "wav"),
        "audio/x-wav": (.audio, "wav"), "audio/vnd.wave": (.audio, "wav"), "audio/mpeg": (.audio, "mp3"),
        "audio/mp3": (.audio, "mp3"), "audio/mp4": (.audio, "m4a"), "audio/x-m4a": (.audio, "m4a"),
        "video/mpeg": (.movie, "mpg"), "video/mpeg2": (.movie, "m2v"), "video/mp4": (.movie, "mp4"),
        "video/x-msvideo": (.movie, "avi"), "video/avi": (.movie, "avi"),
    ]
}
