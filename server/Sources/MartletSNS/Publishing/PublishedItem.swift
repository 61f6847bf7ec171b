import Foundation
import MartletCore
import MartletWire

extension PublishedMessage {
    /// The item that a message leaves: in the words of the platform's payload, which the phone shows, and with the app's
    /// own values beside them; without words there it says what the notification does.
    func item(
        _ item: InboxDraft,
        of own: PublishedText.PlatformText,
        saying content: Content,
        kind: PlatformApplication.Kind
    ) -> InboxDraft {
        // What no provider takes is not read.
        guard case .payload(let text) = own, text.utf8.count <= Self.longestPayload,
            let payload = (try? JSONValue(json: Data(text.utf8)))?.objectValue
        else { return item }
        let words = kind.isApple ? PayloadWords(apns: payload) : PayloadWords(fcm: payload)
        var said = Content(data: words.values)
        (said.title, said.subtitle, said.body) = (words.title, words.subtitle, words.body)
        if words.isSilent { (said.title, said.body) = (content.title, content.body) }
        said.deepLink = said.data.removeValue(forKey: "deep_link")?.stringValue
        let image = said.data.removeValue(forKey: "image_url")?.stringValue
        said.image = image.flatMap { $0.lowercased().hasPrefix("https://") ? $0 : nil }
        var item = item
        item.content = said
        return item
    }

    /// Apple's 5,120 bytes of a VoIP push: the longest that a provider takes.
    private static let longestPayload = 5_120
}

/// What a payload has a person read, and the app's own values in it.
private struct PayloadWords {
    private(set) var title: String?
    private(set) var subtitle: String?
    private(set) var body: String?
    private(set) var values: [String: JSONValue] = [:]

    var isSilent: Bool { title == nil && subtitle == nil && body == nil }

    /// `aps.alert` is a text, or an object with the three (Apple, "Generating a remote notification").
    init(apns payload: [String: JSONValue]) {
        values = payload
        values["aps"] = nil
        let alert = payload["aps"]?.objectValue?["alert"]
        body = alert?.stringValue
        if let alert = alert?.objectValue { read(alert) }
    }

    /// `notification` and `data`, in a message of the present API or in the form before it (Google, "FCM messages").
    init(fcm payload: [String: JSONValue]) {
        let message = payload["fcmV1Message"]?.objectValue?["message"]?.objectValue ?? payload
        values = message["data"]?.objectValue ?? [:]
        if let notification = message["notification"]?.objectValue { read(notification) }
    }

    private mutating func read(_ words: [String: JSONValue]) {
        title = words["title"]?.stringValue
        subtitle = words["subtitle"]?.stringValue
        body = words["body"]?.stringValue
    }
}
