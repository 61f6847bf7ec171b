/// What the SDK saw happen to a push or to a device's token: the six words of the events table.
public enum EventType: String, Sendable, Hashable, Codable, CaseIterable {
    /// The push reached the phone and some code of the app ran for it. A lower bound: the system often runs none.
    case delivery
    /// A person tapped it, or a button of it; `value` is the button's identifier then, and absent otherwise.
    case open
    /// A person dismissed it. A lower bound: the system tells only of explicit dismissals of a category that asks.
    case dismiss
    /// A web link of the push was opened; `value` is the URL.
    case linkOpen = "link_open"
    /// A link into the app was opened; `value` is the URI.
    case deeplinkOpen = "deeplink_open"
    /// A push token was obtained, or it changed.
    case tokenRegister = "token_register"
}

/// The kind of phone that an event comes from: the words of the events table, not those of the providers.
public enum EventPlatform: String, Sendable, Hashable, Codable, CaseIterable {
    /// iPhone and iPad.
    case ios
    case android
    /// A browser.
    case web
}
