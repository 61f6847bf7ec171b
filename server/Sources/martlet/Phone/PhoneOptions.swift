public import ArgumentParser
import Foundation
import MartletPhone
import PushNotificationSDK

/// How a phone's user answers when the app asks for permission.
enum PermissionAnswer: String, CaseIterable, ExpressibleByArgument {
    case allow, deny, ask
}

extension PhoneEnvironment: @retroactive ExpressibleByArgument {}

/// What the app on the phones is like, as flags.
struct PhoneAppOptions: ParsableArguments {
    @Option(help: "The app's bundle id, the topic of its pushes. Default: the value of --app.")
    var bundleID: String?
    @Option(help: "The environment of the tokens: 'production' or 'sandbox'.")
    var environment = PhoneEnvironment.production
    @Option(help: "The IANA time zone of the phones. Default: this machine's.")
    var timeZone: String?
    @Option(
        name: .customLong("host"),
        help: ArgumentHelp(
            "A host from which phones load pictures, and the server that answers for it; repeatable.",
            valueName: "host[=url]"
        )
    )
    var hosts: [String] = []
    @Option(
        name: .customLong("link"),
        help: ArgumentHelp(
            "A web host, or a scheme such as game:, whose links the app opens; repeatable.",
            valueName: "host|scheme:"
        )
    )
    var links: [String] = []
    @Option(
        name: .customLong("category"),
        help: ArgumentHelp(
            "A category of the app with its buttons, such as invite=yes:Accept,no:Decline; repeatable.",
            valueName: "name=id:title,…"
        )
    )
    var categories: [String] = []

    @Option(
        help: "A file with the shared secret of HS256 user tokens: with it the app's users have tokens, and an inbox."
    )
    var secretFile: String?
    @Option(help: "The 'iss' of those tokens.")
    var issuer: String?
    @Option(help: "The 'aud' of those tokens.")
    var audience: String?

    /// Lays the flags over a set-up.
    ///
    /// - Throws: `CommandFailure` for one that is wrong.
    func apply(to setup: inout PhoneSetup) throws {
        setup.environment = environment
        if let timeZone {
            guard TimeZone(identifier: timeZone) != nil else {
                throw CommandFailure("'\(timeZone)' is not a time zone.", hint: "Such as --time-zone Asia/Tokyo")
            }
            setup.timeZone = timeZone
        }
        for host in hosts {
            let (name, url) = try Self.host(host)
            setup.hosts[name] = url
        }
        if let secretFile {
            setup.tokens = UserTokenMaker(secret: try InputFile.text(secretFile), issuer: issuer, audience: audience)
        } else if issuer != nil || audience != nil {
            throw CommandFailure("There is no secret for user tokens.", hint: "--secret-file FILE")
        }
        setup.links = try links.map(Self.link)
        setup.categories = try categories.map(Self.category)
    }

    private static func link(_ text: String) throws -> LinkPolicy.Rule {
        let rule: LinkPolicy.Rule = text.hasSuffix(":") ? .deepLink(String(text.dropLast())) : .web(text)
        guard rule.opensAnything else {
            throw CommandFailure(
                "The SDK opens no link that '\(text)' would allow.",
                hint: "Name a host for its https pages, such as --link shop.example.com, or an app's scheme with its "
                    + "colon, such as --link game:"
            )
        }
        return rule
    }

    private static func host(_ text: String) throws -> (String, URL) {
        let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
        let address = parts.count == 2 ? parts[1] : "https://\(text)"
        guard let name = parts.first, !name.contains("/"), let url = URL(string: address), url.host != nil,
            ["http", "https"].contains(url.scheme)
        else {
            throw CommandFailure(
                "'\(text)' does not name a host.",
                hint: "Such as --host cdn.example.com=http://127.0.0.1:8000"
            )
        }
        return (name.lowercased(), url)
    }

    private static func category(_ text: String) throws -> NotificationCategory {
        let (name, list) = try NamedValue.parse(text, flag: "--category")
        let actions = try list.split(separator: ",").map { part -> NotificationCategory.Action in
            let words = part.split(separator: ":", maxSplits: 1).map(String.init)
            guard words.count == 2 else {
                throw CommandFailure(
                    "'\(part)' is not a button.",
                    hint: "Such as --category invite=yes:Accept,no:Decline"
                )
            }
            return NotificationCategory.Action(words[0], title: words[1])
        }
        return NotificationCategory(name, actions: actions)
    }
}
