import Foundation

/// The simulated push services' subscriptions and the browsers that hold some.
struct WebPushRegistry {
    /// Subscriptions at most.
    static let limit = 200_000

    /// A real browser.
    struct Browser {
        /// Its name for a subscription, and the subscription.
        var channels: [String: String] = [:]
    }

    /// The unbranded Chromium's push service (Debian's).
    static let chromiumOrigin = "https://jmt17.google.com"

    /// The origin of the simulator's own addresses.
    var ownOrigin = ""
    let tokens = VAPIDTokens()
    private(set) var subscriptions: [String: PushSubscription] = [:]
    private(set) var browsers: [String: Browser] = [:]

    /// The subscription that an address's path names: by its last part, or Microsoft's `token`.
    func subscription(at path: String) -> PushSubscription? {
        let end = path.lastIndex { $0 == "/" || $0 == "=" }
        guard let end, let found = subscriptions[String(path[path.index(after: end)...])] else { return nil }
        return path == found.service.path + found.id ? found : nil
    }

    /// A new subscription; `nil` when there are too many.
    mutating func subscribe(
        _ service: PushServiceKind,
        origin: String? = nil,
        key: Data?,
        agent: PushSubscription.Agent,
        sizeLimit: Int = PushCheck.sizeLimit
    ) -> PushSubscription? {
        guard subscriptions.count < Self.limit else { return nil }
        var subscription = PushSubscription(
            id: FCMRegistry.randomText(count: 48),
            service: service,
            origin: origin ?? service.origin ?? ownOrigin,
            applicationServerKey: key,
            agent: agent
        )
        subscription.sizeLimit = sizeLimit
        subscriptions[subscription.id] = subscription
        return subscription
    }

    /// - Returns: `false` when there is no such subscription.
    mutating func set(_ state: PushSubscription.State, of id: String) -> Bool {
        subscriptions[id]?.state = state
        return subscriptions[id] != nil
    }

    mutating func count(_ id: String) {
        subscriptions[id]?.messages += 1
    }

    // MARK: Browsers

    /// Makes the browser known, if it is not.
    mutating func add(browser: String) {
        if browsers[browser] == nil, browsers.count < Self.limit { browsers[browser] = Browser() }
    }

    /// A browser's subscription by its own name; the same one again while it stands and its key is the same.
    mutating func subscribe(
        browser: String,
        channel: String,
        service: PushServiceKind,
        origin: String? = nil,
        key: Data?
    ) -> PushSubscription? {
        add(browser: browser)
        if let id = browsers[browser]?.channels[channel], let known = subscriptions[id], known.state == .active,
            known.applicationServerKey == key
        {
            return known
        }
        let agent = PushSubscription.Agent.browser(agent: browser, channel: channel)
        guard let new = subscribe(service, origin: origin, key: key, agent: agent) else { return nil }
        browsers[browser]?.channels[channel] = new.id
        return new
    }

    /// Ends a browser's subscription.
    mutating func unsubscribe(browser: String, channel: String) {
        guard let id = browsers[browser]?.channels.removeValue(forKey: channel) else { return }
        _ = set(.gone, of: id)
    }

    /// Forgets a browser and ends its subscriptions.
    mutating func forget(browser: String) {
        for id in (browsers.removeValue(forKey: browser)?.channels ?? [:]).values { _ = set(.gone, of: id) }
    }
}
