package import Foundation

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
        guard let type = Self.types[Self.name(mimeType)] else { return nil }
        (kind, fileExtension) = type
    }

    /// What a server says of bytes whose type it does not know.
    package static func saysNothing(mimeType: String?) -> Bool {
        ["", "application/octet-stream", "binary/octet-stream"].contains(name(mimeType))
    }

    /// Reads the ending of a file's name.
    ///
    /// - Returns: `nil` for what no notification shows.
    package init?(fileExtension: String) {
        let aliases = ["jpeg": "jpg", "aif": "aiff", "mpeg": "mpg"]
        let ending = fileExtension.lowercased()
        guard let type = Self.types.values.first(where: { $0.1 == aliases[ending] ?? ending }) else { return nil }
        (kind, self.fileExtension) = type
    }

    /// How many of a file's first bytes tell its type.
    package static let headLength = 12

    /// Reads the first bytes of a file.
    ///
    /// - Returns: `nil` for what no notification shows, and for what begins like nothing that is known here.
    package init?(head: Data) {
        let bytes = Array(head.prefix(Self.headLength))
        func has(_ text: String, at offset: Int = 0) -> Bool { bytes.dropFirst(offset).starts(with: Array(text.utf8)) }
        let ending: String? =
            switch bytes {
            case _ where bytes.starts(with: [0xFF, 0xD8, 0xFF]): "jpg"
            case _ where bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]): "png"
            case _ where has("GIF87a") || has("GIF89a"): "gif"
            case _ where has("RIFF") && has("WAVE", at: 8): "wav"
            case _ where has("RIFF") && has("AVI ", at: 8): "avi"
            case _ where has("FORM") && (has("AIFF", at: 8) || has("AIFC", at: 8)): "aiff"
            case _ where has("ftypM4A", at: 4): "m4a"
            // Of ISO's base media files those that are movies: pictures of the same form are no attachments.
            case _ where ["isom", "iso2", "mp41", "mp42", "avc1", "M4V ", "MSNV"].contains { has("ftyp\($0)", at: 4) }:
                "mp4"
            case _ where bytes.starts(with: [0, 0, 1, 0xBA]): "mpg"
            case _ where bytes.starts(with: [0, 0, 1, 0xB3]): "m2v"
            // MPEG audio: with a tag, or a frame of layer III.
            case _ where has("ID3") || bytes.count > 1 && bytes[0] == 0xFF && bytes[1] & 0xE6 == 0xE2: "mp3"
            default: nil
            }
        guard let ending, let type = AttachmentType(fileExtension: ending) else { return nil }
        self = type
    }

    private static func name(_ mimeType: String?) -> String {
        (mimeType ?? "").prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
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
