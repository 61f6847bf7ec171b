/// An option's key: the file's type as a uniform type identifier, where its name does not tell it.
public let UNNotificationAttachmentOptionsTypeHintKey = "UNNotificationAttachmentOptionsTypeHintKey"
/// An option's key: the file shows no thumbnail.
public let UNNotificationAttachmentOptionsThumbnailHiddenKey = "UNNotificationAttachmentOptionsThumbnailHiddenKey"

/// A file that shows with a notification.
open class UNNotificationAttachment: NSObject {
    package let record: AttachmentRecord

    package init(_ record: AttachmentRecord) {
        self.record = record
    }

    /// Looks at the file: that it is there, of a type that notifications show, and within the type's size.
    ///
    /// - Throws: `UNError`, as Apple's does.
    @available(tvOS, unavailable)
    public convenience init(identifier: String, url URL: URL, options: [AnyHashable: Any]? = nil) throws {
        let hint = options?[UNNotificationAttachmentOptionsTypeHintKey] as? String
        let kind = hint.map(AttachmentKind.init(typeIdentifier:)) ?? AttachmentKind(fileExtension: URL.pathExtension)
        guard URL.isFileURL, let size = AttachmentKind.size(ofFileAt: URL) else {
            throw UNError(.attachmentInvalidURL)
        }
        guard let kind else { throw UNError(.attachmentUnrecognizedType) }
        guard (1...kind.limit).contains(size) else { throw UNError(.attachmentInvalidFileSize) }
        self.init(
            AttachmentRecord(
                identifier: identifier.isEmpty ? UUID().uuidString : identifier,
                url: URL,
                typeIdentifier: kind.typeIdentifier
            )
        )
    }

    /// The id given, or one that was made where it was empty.
    open var identifier: String { record.identifier }
    /// Where the file is.
    open var url: URL { record.url }
    /// The file's type as a uniform type identifier.
    open var type: String { record.typeIdentifier }
}

/// A type of file that notifications show.
///
/// Types and limits: Apple, "UNNotificationAttachment", table of supported file types.
struct AttachmentKind {
    let typeIdentifier: String
    /// Bytes at most.
    let limit: Int

    private static let byExtension: [String: (String, megabytes: Int)] = [
        "jpg": ("public.jpeg", 10), "jpeg": ("public.jpeg", 10), "png": ("public.png", 10),
        "gif": ("com.compuserve.gif", 10),
        "aif": ("public.aiff-audio", 5), "aiff": ("public.aiff-audio", 5), "wav": ("com.microsoft.waveform-audio", 5),
        "mp3": ("public.mp3", 5), "m4a": ("public.mpeg-4-audio", 5),
        "mpg": ("public.mpeg", 50), "mpeg": ("public.mpeg", 50), "m2v": ("public.mpeg-2-video", 50),
        "mp4": ("public.mpeg-4", 50), "avi": ("public.avi", 50),
    ]

    init?(fileExtension: String) {
        guard let (identifier, megabytes) = Self.byExtension[fileExtension.lowercased()] else { return nil }
        typeIdentifier = identifier
        limit = megabytes << 20
    }

    init?(typeIdentifier: String) {
        guard let (identifier, megabytes) = Self.byExtension.values.first(where: { $0.0 == typeIdentifier }) else {
            return nil
        }
        self.typeIdentifier = identifier
        limit = megabytes << 20
    }

    static func size(ofFileAt url: URL) -> Int? {
        let facts = try? FileManager.default.attributesOfItem(atPath: url.path)
        guard facts?[.type] as? FileAttributeType == .typeRegular else { return nil }
        return (facts?[.size] as? NSNumber)?.intValue
    }
}
