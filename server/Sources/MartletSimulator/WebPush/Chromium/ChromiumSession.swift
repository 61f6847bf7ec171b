import Foundation

/// What a Chromium registers a subscription with.
struct ChromiumRegistration: Equatable {
    var device: String
    /// `app`: who shows the message.
    var app: String
    /// `X-subtype`: the page's registration.
    var subtype: String
    /// `sender`: the application server's key, as base64url.
    var sender: String
    var isDeletion: Bool

    /// `nil` when a field is missing.
    init?(form: [String: String]) {
        guard let device = form["device"], let app = form["app"] else { return nil }
        self.device = device
        self.app = app
        subtype = form["X-subtype"] ?? app
        sender = form["sender"] ?? ""
        isDeletion = form["delete"] == "true"
    }

    /// The browser's name for the subscription: both names, since pushes are addressed with both.
    var channel: String { "\(app) \(subtype)" }

    /// `nil` for a registration of the browser's own, whose sender is a number.
    var key: Data? {
        let bytes = Base64URL.decode(sender, allowsPadding: true)
        return bytes?.count == 65 ? bytes : nil
    }

    static func names(of channel: String) -> (app: String, subtype: String) {
        let parts = channel.split(separator: " ", maxSplits: 1).map(String.init)
        return (parts[0], parts.count > 1 ? parts[1] : parts[0])
    }
}

/// One connection of a Chromium to the stand-in for Google's server, as a value.
struct ChromiumSession {
    /// What Chromium's id is among all browsers.
    static func browser(_ device: String) -> String { "chromium:\(device)" }

    let service: WebPushService
    private(set) var browser: String?

    init(service: WebPushService) {
        self.service = service
    }

    /// The answers to a frame; `nil` when the connection is to end.
    mutating func answers(to frame: MCSFrame, now: Int64) -> [MCSFrame]? {
        switch MCSFrame.Tag(rawValue: frame.tag) {
        case .heartbeatPing: return [MCSFrame(.heartbeatAck)]
        case .loginRequest:
            guard let fields = ProtoField.read(frame.body),
                case .bytes(let user)? = fields.first(where: { $0.number == 3 })?.value
            else { return nil }
            let browser = Self.browser(String(decoding: user, as: UTF8.self))
            self.browser = browser
            service.withRegistry { $0.add(browser: browser) }
            return [.loginResponse(now: now)]
        case .close: return nil
        default: return []
        }
    }

    /// What waits for the browser; it is taken to have it.
    func waiting(now: Int64) -> [MCSFrame] {
        guard let browser else { return [] }
        let found = service.withRegistry { registry in
            (registry.browsers[browser]?.channels ?? [:]).map { channel, id in
                (channel: channel, id: id, key: registry.subscriptions[id]?.applicationServerKey)
            }
        }
        var frames: [MCSFrame] = []
        for (channel, id, key) in found.sorted(by: { $0.channel < $1.channel }) {
            let items = service.lines.withMailbox(of: id) { mailbox in
                defer { mailbox.removeAll() }
                return mailbox.take(after: 0, limit: WebPushMailbox.limit, now: now)
            }
            let names = ChromiumRegistration.names(of: channel)
            for item in items ?? [] {
                let sender = key.map { Base64URL.encode($0) } ?? ""
                frames.append(.push(item.message, app: names.app, subtype: names.subtype, sender: sender))
                service.browsers.acknowledge(
                    browser: browser,
                    channel: channel,
                    message: item.message.id,
                    kind: "sent"
                )
            }
        }
        return frames
    }

    /// The answer to a registration's form.
    static func register(_ form: [String: String], at service: WebPushService) -> String {
        guard let registration = ChromiumRegistration(form: form) else { return "Error=INVALID_PARAMETERS" }
        let browser = browser(registration.device)
        if registration.isDeletion {
            service.withRegistry { $0.unsubscribe(browser: browser, channel: registration.channel) }
            return "token=\(registration.subtype)"
        }
        let subscription = service.withRegistry {
            $0.subscribe(
                browser: browser,
                channel: registration.channel,
                service: .google,
                origin: WebPushRegistry.chromiumOrigin,
                key: registration.key
            )
        }
        guard let subscription else { return "Error=SERVICE_NOT_AVAILABLE" }
        _ = service.lines.open(subscription.id)
        return "token=\(subscription.id)"
    }

    /// The answer to a check-in (`google_apis/gcm/protocol/checkin.proto`): the id and the secret that the browser has,
    /// or new ones.
    static func checkIn(_ body: some Collection<UInt8>, now: Int64) -> [UInt8] {
        let fields = ProtoField.read(body) ?? []
        var id: UInt64 = 0
        var secret: UInt64 = 0
        for (number, value) in fields {
            if number == 2, case .varint(let found) = value { id = found }
            if number == 13, case .fixed64(let found) = value { secret = found }
        }
        if id == 0 || secret == 0 {
            // Positive as a signed number, which the browser writes into its login.
            id = UInt64.random(in: 1...UInt64(Int64.max))
            secret = UInt64.random(in: 1...UInt64(Int64.max))
        }
        return ProtoField.varint(1).encoded(as: 1) + ProtoField.varint(UInt64(now)).encoded(as: 3)
            + ProtoField.fixed64(id).encoded(as: 7) + ProtoField.fixed64(secret).encoded(as: 8)
    }
}
