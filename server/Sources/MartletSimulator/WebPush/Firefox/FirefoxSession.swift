/// One connection of a Firefox, as a value: what it says leads to what it is sent.
struct FirefoxSession {
    /// What Firefox's id is among all browsers.
    static func browser(_ uaid: String) -> String { "firefox:\(uaid)" }

    let service: WebPushService
    private(set) var uaid: String?
    /// Messages sent on this connection, which are not sent again before an answer.
    private var sent: Set<String> = []

    init(service: WebPushService) {
        self.service = service
    }

    var browser: String? { uaid.map(Self.browser) }

    /// The replies to a message; `nil` when the connection is to end.
    mutating func replies(to message: FirefoxMessage) -> [FirefoxReply]? {
        switch message {
        case .hello(let known):
            let isKnown = known.map { id in service.withRegistry { $0.browsers[Self.browser(id)] != nil } } ?? false
            let uaid = isKnown ? known ?? "" : AnswerID.make().replacing("-", with: "")
            self.uaid = uaid
            service.withRegistry { $0.add(browser: Self.browser(uaid)) }
            return [.hello(uaid: uaid)]
        case .register(let channel, let key): return browser.map { register(channel, key, for: $0) }
        case .unregister(let channel):
            guard let browser else { return nil }
            service.withRegistry { $0.unsubscribe(browser: browser, channel: channel) }
            return [.unregister(channelID: channel)]
        case .ack(let updates):
            for update in updates { settle(update, "ack") }
            return []
        case .nack(let update):
            settle(update, "nack")
            return []
        case .ping: return [FirefoxReply()]
        case .ignored: return []
        case .unknown: return nil
        }
    }

    private func register(_ channel: String, _ key: String?, for browser: String) -> [FirefoxReply] {
        let key = key.flatMap { Base64URL.decode($0, allowsPadding: true) }
        let subscription = service.withRegistry {
            $0.subscribe(browser: browser, channel: channel, service: .mozilla, key: key)
        }
        if let subscription { _ = service.lines.open(subscription.id) }
        return [.register(channelID: channel, endpoint: subscription?.endpoint)]
    }

    private func settle(_ update: FirefoxMessage.Update, _ kind: String) {
        guard let browser else { return }
        service.browsers.acknowledge(
            browser: browser,
            channel: update.channelID,
            message: update.version,
            kind: kind,
            code: update.code
        )
        let channels = service.withRegistry { $0.browsers[browser]?.channels ?? [:] }
        for (channel, id) in channels where update.channelID == nil || update.channelID == channel {
            _ = service.lines.withMailbox(of: id) { $0.removeAll { $0.id == update.version } }
        }
    }

    /// What waits for the browser and was not sent on this connection.
    mutating func waiting(now: Int64) -> [FirefoxReply] {
        guard let browser else { return [] }
        var replies: [FirefoxReply] = []
        let channels = service.withRegistry { $0.browsers[browser]?.channels ?? [:] }
        for (channel, id) in channels.sorted(by: { $0.key < $1.key }) {
            let items = service.lines.withMailbox(of: id) {
                $0.take(after: 0, limit: WebPushMailbox.limit, now: now)
            }
            for item in items ?? [] where sent.insert(item.message.id).inserted {
                replies.append(.notification(item.message, channelID: channel))
            }
        }
        return replies
    }
}
