package import Foundation
import MartletWireBase

/// What is fetched for a notification and when it is given up: decisions only, no network and no disk.
package struct AttachmentRules: Sendable, Equatable {
    /// How long a fetch may take, in seconds. The system gives an extension about 30 s: 5 are left for the rest.
    package static let time: TimeInterval = 25
    /// The longest address, as for links.
    private static let longestAddress = 2048
    /// How often a server may send on, as browsers of the 1990s did: ours.
    private static let mostRedirects = 5

    private var redirects = 0
    /// The ending of the address that is asked.
    private var ending = ""
    private var type: AttachmentType?
    /// What the server said of the type.
    private var saidType = ""
    private var announced: Int64?
    private var received: Int64 = 0

    /// A fetch that has not begun.
    package init() {}

    /// The address to begin with, as it stands in a payload.
    ///
    /// - Throws: ``AttachmentRefusal/address``.
    package static func address(_ text: String) throws(AttachmentRefusal) -> URL {
        // Anything but ASCII is for the sender to encode: what a system's `URL` makes of it differs.
        guard text.utf8.count <= longestAddress, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            let url = URL(string: text), isAllowed(url)
        else { throw .address }
        return url
    }

    /// A fetch of an address begins.
    package mutating func began(_ address: URL) { ending = address.pathExtension }

    /// The server sends on.
    ///
    /// - Throws: ``AttachmentRefusal/redirect``.
    package mutating func redirected(to url: URL?) throws(AttachmentRefusal) {
        redirects += 1
        guard redirects <= Self.mostRedirects, let url, Self.isAllowed(url) else { throw .redirect }
        if !url.pathExtension.isEmpty { ending = url.pathExtension }
    }

    /// The server begins to answer.
    ///
    /// - Parameters:
    ///   - length: what the header says; `nil` or negative when it says nothing.
    /// - Returns: the type of the file, by what the server says, else by the address's ending; `nil` where the first bytes
    ///   have to tell.
    /// - Throws: what is wrong with the answer. A server that names another type is believed: its page about an error is
    ///   not an image, whatever the address says.
    package mutating func answered(
        status: Int,
        mimeType: String?,
        length: Int64?
    ) throws(AttachmentRefusal) -> AttachmentType? {
        guard status == 200 else { throw .status(status) }
        if let length, length >= 0 { announced = length }
        saidType = mimeType ?? ""
        let said = AttachmentType(mimeType: mimeType)
        guard said != nil || AttachmentType.saysNothing(mimeType: mimeType) else { throw .type(saidType) }
        guard let type = said ?? AttachmentType(fileExtension: ending) else { return nil }
        return try take(type)
    }

    /// The first bytes are here, of a file whose type nothing else told.
    ///
    /// - Returns: the type; `nil` as long as they are too few.
    /// - Throws: ``AttachmentRefusal/type(_:)`` when they tell nothing.
    package mutating func began(with head: Data) throws(AttachmentRefusal) -> AttachmentType? {
        guard head.count >= AttachmentType.headLength else { return nil }
        guard let type = AttachmentType(head: head) else { throw .type(saidType) }
        return try take(type)
    }

    private mutating func take(_ type: AttachmentType) throws(AttachmentRefusal) -> AttachmentType {
        guard announced ?? 0 <= type.kind.limit else { throw .tooLarge(type.kind) }
        self.type = type
        return type
    }

    /// More of the file is here: it is counted before it is written.
    ///
    /// - Throws: ``AttachmentRefusal/tooLarge(_:)``.
    package mutating func received(bytes count: Int) throws(AttachmentRefusal) {
        guard let type else { throw .incomplete }
        received += Int64(count)
        guard received <= type.kind.limit else { throw .tooLarge(type.kind) }
    }

    /// The file is complete.
    ///
    /// - Throws: ``AttachmentRefusal/incomplete``.
    package func finished() throws(AttachmentRefusal) {
        guard type != nil, received > 0, received >= announced ?? 0 else { throw .incomplete }
    }

    private static func isAllowed(_ url: URL) -> Bool {
        url.scheme?.lowercased() == "https" && url.host?.isEmpty == false && url.user == nil && url.password == nil
    }
}

extension NotificationPayload {
    /// The addresses of files to attach, in the order in which they are tried: image, then movie, then sound.
    package var attachmentAddresses: [String] {
        [imageURL, custom["video_url"]?.stringValue, custom["audio_url"]?.stringValue].compactMap(\.self)
    }
}
