import Foundation
import MartletPhone
import MartletWire
import PushNotificationSDK

extension SessionEvent {
    /// A event from what a phone's journal says; `nil` for what nobody wants to read.
    init?(_ event: PhoneEvent, on phone: Int) {
        let known: (what: What, id: String?, value: String?)
        switch event {
        case .started(let inFront): known = (.started, nil, inFront ? "in front" : "in the background")
        case .became(.foreground): known = (.inFront, nil, nil)
        case .became(.background): known = (.background, nil, nil)
        case .became(.notRunning), .became(.swipedAway): known = (.ended, nil, nil)
        case .asked: known = (.asked, nil, nil)
        case .answered(let allows): known = (.answered, nil, allows ? "allowed" : "not allowed")
        case .token(let token): known = (.token, nil, token)
        case .firebaseToken(let token): known = (.fcmToken, nil, token)
        case .noToken: known = (.noToken, nil, nil)
        case .extensionRan(let id, let expired): known = (.delivered, id, expired ? "and its time ran out" : nil)
        case .shown(let id): known = (.shown, id, nil)
        case .silent(let id): known = (.silent, id, nil)
        case .told(let id): known = (.told, id, nil)
        case .acted(let id, let action): known = (Self.touch(action), id, Self.touch(action) == .button ? action : nil)
        case .cleared(let id): known = (.cleared, id, nil)
        case .removed(let id): known = (.removed, id, nil)
        case .opened(let url, let taken): known = (.link, nil, "\(url)\(taken ? "" : ", which no app takes")")
        case .browsed(let url): known = (.page, nil, "\(url)")
        case .called(let path, let status):
            guard let call = Self.call(path, status) else { return nil }
            known = (call.what, nil, call.value)
        case .handled(let call):
            self.init(call, on: phone)
            return
        case .fault(let words): known = (.fault, nil, words)
        }
        self.init(known.what, on: phone, id: known.id, value: known.value)
    }

    private init(_ call: HandlerCall, on phone: Int) {
        switch call {
        case .received(let payload):
            self.init(.received, on: phone)
            messageID = payload.messageID
            title = payload.title
            body = payload.body
        case .action(let id, let messageID):
            self.init(.action, on: phone, value: id)
            self.messageID = messageID
        case .error(let error):
            self.init(.error, on: phone, value: error.errorDescription)
        case .deepLink(let url): self.init(.deepLink, on: phone, value: "\(url)")
        case .refresh(let request): self.init(.refresh, on: phone, value: request.cacheKey)
        case .inbox(let update): self.init(.inbox, on: phone, value: "\(update.counts.unread) unread")
        }
    }

    init(_ what: What, on phone: Int, id: String? = nil, value: String? = nil) {
        time = UTCTime(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000))
        self.phone = phone
        self.what = what
        self.id = id
        self.value = value
    }

    /// Says what the notification says.
    mutating func describe(_ shown: ShownNotification) {
        title = shown.title
        body = shown.body
        if what == .shown {
            buttons = shown.buttons.map(\.id)
            attachments = shown.attachments.count
        }
    }

    /// The system's own ids of a tap and a dismissal (`UNNotificationDefaultActionIdentifier` and its neighbour).
    private static func touch(_ action: String) -> What {
        switch action {
        case "com.apple.UNNotificationDefaultActionIdentifier": .tapped
        case "com.apple.UNNotificationDismissActionIdentifier": .dismissed
        default: .button
        }
    }

    private static func call(_ path: String, _ status: Int?) -> (what: What, value: String?)? {
        let words = path.split(separator: "/").map(String.init)
        // The last word of an installation's path is its id.
        let name = words.suffix(2).first == "installations" ? "installations" : words.last ?? path
        guard let status else { return (.refused, "no answer to \(name)") }
        guard (200..<300).contains(status) else { return (.refused, "\(status) to \(name)") }
        switch name {
        case "tokens": return (.registered, nil)
        case "events": return (.reported, nil)
        case "installations": return (.updated, nil)
        default: return nil
        }
    }
}
