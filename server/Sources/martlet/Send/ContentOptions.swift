import ArgumentParser
import Foundation
import MartletWire

/// What a notification says, as flags.
struct ContentOptions: ParsableArguments {
    @Option(help: "The first line.")
    var title: String?
    @Option(help: "The second line.")
    var subtitle: String?
    @Option(help: "The text.")
    var body: String?
    @Option(help: "An image to show, by its https address.")
    var image: String?
    @Option(help: "Where a tap leads, such as myapp://alerts/42")
    var deepLink: String?
    @Option(help: "The number on the app's icon; 'unread' or 'unseen' counts each person's inbox.")
    var badge: String?
    @Option(help: "The sound's name; 'default' is the system's.")
    var sound: String?
    @Option(help: "The category, which people can switch off: martlet categories list")
    var category: String?
    @Option(help: "A later item with the same key takes the place of this one in each inbox.")
    var inboxKey: String?
    @Option(help: "Apple's category, whose buttons are shown.")
    var actionCategory: String?
    @Option(
        name: .customLong("data"),
        help: ArgumentHelp(
            "A value for the app: text, or JSON with key:=json; repeatable.",
            valueName: "key=text"
        )
    )
    var values: [String] = []
    @Option(
        name: .customLong("override"),
        help: ArgumentHelp(
            "What only one platform gets, as JSON, such as fcm='{\"android\":{\"ttl\":\"60s\"}}'; repeatable.",
            valueName: "platform=json"
        )
    )
    var overrides: [String] = []

    /// Lays the flags over a request.
    func apply(to request: inout SendRequest) throws {
        for (name, text) in [
            ("title", title), ("subtitle", subtitle), ("body", body), ("image", image), ("deep_link", deepLink),
            ("sound", sound), ("category", category), ("action_category", actionCategory),
        ] {
            request.set(name, text.map { .string($0) })
        }
        request.set("badge", try badge.map(BadgeWord.value))
        if let inboxKey { request.add(inbox: "key", .string(inboxKey)) }
        var data: [String: JSONValue] = [:]
        for flag in values {
            let (name, value) = try NamedValue.value(flag, flag: "--data")
            data[name] = value
        }
        request.add(data: data)
        for override in overrides {
            let (name, text) = try NamedValue.parse(override, flag: "--override")
            guard let platform = PlatformName(word: name) else {
                throw CommandFailure("'\(name)' is no platform.", hint: "There are: apns, fcm, webpush.")
            }
            let value = try InputFile.json(Data(text.utf8), from: "--override \(name)")
            request.add(override: platform.rawValue, value)
        }
    }
}

/// How a notification is delivered, as flags.
struct SendOptions: ParsableArguments {
    @Option(help: "The dedup key: nobody gets the same key twice within the cooldown.")
    var dedupKey: String?
    @Option(help: "The cooldown of the dedup key in seconds, or 'forever'. Default: 1800.")
    var cooldown: String?
    @Option(help: "Replaces an older notification with the same id on the phone. Default: the dedup key.")
    var collapseID: String?
    @Option(name: .customLong("class"), help: "'transactional' goes first, 'bulk' last. Default: 'default'.")
    var notificationClass: String?
    @Option(help: "How loud on the phone: 'high', 'normal' or 'low'.")
    var priority: String?
    @Option(help: "The provider's push type. Default: chosen from the content.")
    var pushType: String?
    @Option(help: "For how many seconds to try; with 0 the provider tries once.")
    var ttl: Int?
    @Option(help: "When to send, such as 2026-03-01T12:00:00Z")
    var sendAt: String?
    @Option(help: "The idempotency key: a repeated request with the same key sends nothing again.")
    var idempotencyKey: String?

    /// Lays the flags over a request.
    func apply(to request: inout SendRequest) throws {
        for (name, text) in [
            ("collapse_id", collapseID), ("class", notificationClass), ("priority", priority), ("push_type", pushType),
            ("send_at", sendAt),
        ] {
            request.set(name, text.map { .string($0) })
        }
        request.set("ttl_seconds", ttl.map { .integer(Int64($0)) })
        guard let dedupKey else {
            if cooldown != nil { throw CommandFailure("--cooldown needs --dedup-key.") }
            return
        }
        var dedup: [String: JSONValue] = ["key": .string(dedupKey)]
        if let cooldown {
            guard cooldown == "forever" || Int64(cooldown) != nil else {
                throw CommandFailure("--cooldown is a number of seconds, or 'forever'.")
            }
            dedup["cooldown_seconds"] = Int64(cooldown).map { .integer($0) } ?? .null
        }
        request.set("dedup", .object(dedup))
    }
}

/// What `--badge` takes.
enum BadgeWord {
    /// A number, or what of the inbox is counted.
    ///
    /// - Throws: `CommandFailure` for anything else.
    static func value(_ text: String) throws -> JSONValue {
        if let number = Int64(text) { return .integer(number) }
        guard let name = InboxBadgeName(rawValue: text) else {
            throw CommandFailure("'\(text)' is no badge.", hint: "Give a number, 'unread' or 'unseen'.")
        }
        return .string(name.rawValue)
    }
}
