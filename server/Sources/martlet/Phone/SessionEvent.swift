import MartletPhone
import MartletWire

/// Something that happened on a phone, as one line for people or one JSON object for programs.
struct SessionEvent: Sendable, Encodable {
    /// What it was.
    enum What: String, Sendable, Encodable, CaseIterable {
        case started, inFront = "in_front", background, ended, asked, answered, token, registered
        case fcmToken = "fcm_token"
        case noToken = "no_token"
        case shown, silent, told, delivered, tapped, button, dismissed, cleared, received, action
        case deepLink = "deep_link"
        case page, link, refresh, reported, refused, error, fault
        case removed, inbox, notices, settings, updated
    }

    /// When.
    var time: UTCTime
    /// Which phone, from 1.
    var phone: Int
    /// Who uses the app on it.
    var user: String?
    /// What it was.
    var what: What
    /// The notification's id on the phone.
    var id: String?
    /// The payload's `message_id`, where the app was told it.
    var messageID: String?
    /// The notification's first line.
    var title: String?
    /// Its text.
    var body: String?
    /// The ids of its buttons.
    var buttons: [String]?
    /// How many files show with it.
    var attachments: Int?
    /// The button, the link, the token, the status, the counts or the words, as `what` says.
    var value: String?

    enum CodingKeys: String, CodingKey {
        case time, phone, user, what, id
        case messageID = "message_id"
        case title, body, buttons, attachments, value
    }
}

extension SessionEvent {
    /// The event as a person reads it, without time and phone.
    var words: String {
        let text = [title, body].compactMap { $0?.isEmpty == false ? $0 : nil }.joined(separator: ": ")
        let files = attachments.map { $0 == 0 ? "" : " (with \($0) picture\($0 == 1 ? "" : "s"))" } ?? ""
        let value = value ?? ""
        let sentence =
            switch what {
            case .started: "the app's process starts"
            case .inFront: "the app is in front"
            case .background: "the app is in the background"
            case .ended: "the app does not run"
            case .asked: "asks: may the app send notifications?"
            case .answered: "notifications are \(value)"
            case .token: "has the token \(DevicesCommand.short(value))"
            case .fcmToken: "has Firebase's token \(DevicesCommand.short(value))"
            case .noToken: "got no token"
            case .registered: "the server knows the device"
            case .shown: "shows “\(text)”\(files)"
            case .silent: "a push that nobody sees"
            case .told: "the app was told in the background"
            case .delivered: "the service extension saw it\(value.isEmpty ? "" : ", \(value)")"
            case .tapped: "tapped “\(text)”"
            case .button: "tapped the button \(value) of “\(text)”"
            case .dismissed: "dismissed “\(text)”"
            case .cleared: "cleared “\(text)”"
            case .received: "the app was told “\(text)”"
            case .action: "the app was told of the button \(value)"
            case .deepLink: "the app opens \(value)"
            case .page: "the app shows the page \(value)"
            case .link: "the system was given \(value)"
            case .refresh: "the app reloads \(value)"
            case .reported: "events are at the server"
            case .refused: "the server: \(value)"
            case .error: "the app's onError: \(value)"
            case .fault: "fault: \(value)"
            case .removed: "“\(text)” is gone from the screen"
            case .inbox: "the inbox has \(value)"
            case .notices: "the app lists \(value)"
            case .settings: "the app's settings: \(value)"
            case .updated: "the server knows what changed on the device"
            }
        return TextWidth.printable(sentence)
    }
}
