import ArgumentParser
import Foundation
import MartletWire

/// `martlet announce`.
struct AnnounceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "announce",
        abstract: "Tells everybody of an app something, or some of them.",
        discussion: """
            Without --user, --users and --topic it goes to everybody, and asks before it does, with the number of people; \
            --yes answers that. With --inbox it can be read later too, by those without a device as well; a category \
            says by itself whether it is, and --no-inbox leaves no item.

            Examples:
              martlet announce --app com.example.app --title 'New timetable' --body 'From Sunday.' --inbox
              martlet announce --app com.example.app --category announcement --body 'We are back.' --badge unread --yes
              martlet announce --app com.example.app --users testers.txt --body 'Please try it.' --link myapp://beta
            """
    )

    @Option(help: "The app's name or id; a key of one app needs none.")
    var app: String?
    @Option(name: .customLong("user"), help: "Only this user; repeatable.")
    var named: [String] = []
    @Option(
        name: .customLong("users"),
        help: ArgumentHelp("Only the users of a file, one a line, or '-' for standard input.", valueName: "file")
    )
    var file: String?
    @Option(help: "Only the subscribers of a topic, by its name or id.")
    var topic: String?
    @Option(help: "The category, which people can switch off: martlet categories list")
    var category: String?
    @Option(help: "The first line.")
    var title: String?
    @Option(help: "The text.")
    var body: String?
    @Option(help: "An image to show, by its https address.")
    var image: String?
    @Option(help: "Where a tap leads, such as myapp://news/42")
    var link: String?
    @Flag(inversion: .prefixedNo, help: "Whether it leaves an item in inboxes. Default: what the category says.")
    var inbox: Bool?
    @Option(help: "When its item leaves inboxes, such as 2026-03-01T12:00:00Z. Default: after 90 days.")
    var expires: String?
    @Option(help: "The number on the app's icon; 'unread' or 'unseen' counts each person's inbox.")
    var badge: String?
    @Option(help: "The idempotency key: a repeated request with the same key sends nothing again.")
    var idempotencyKey: String?
    @Flag(help: "Do not ask whether it really goes to everybody.")
    var yes = false
    @OptionGroup var connection: ConnectionOptions

    /// The most bytes of a line in a file of users: an id has 256, with room for spaces around it.
    private static let lineLimit = 1 << 10

    func validate() throws {
        guard title != nil || body != nil else { throw ValidationError("Say something: give --title or --body.") }
        guard [named.isEmpty, file == nil, topic == nil].filter({ !$0 }).count <= 1 else {
            throw ValidationError("Give only one of --user, --users and --topic.")
        }
        guard inbox != false || expires == nil else {
            throw ValidationError("--expires is for an item in inboxes, and --no-inbox leaves none.")
        }
        if let expires, UTCTime(expires) == nil {
            throw ValidationError("--expires is a time such as 2026-03-01T12:00:00Z, and not '\(expires)'.")
        }
    }

    func run() async throws {
        let audience = try audience()
        let request = try request(audience)
        let client = try await connection.client()
        if audience.all == true, !yes {
            // Nobody is counted where nobody can be asked.
            let people = Terminal.isInteractive ? try await PeopleCount(client: client, app: app).words : "everybody"
            try Terminal.confirm("Send it to \(people)?", isAnswered: yes, orElse: "Nothing was sent.")
        }
        let headers = idempotencyKey.map { [(HeaderName.idempotencyKey, $0)] } ?? []
        let accepted: Item<NotificationAccepted> = try await client.call(
            .post,
            "notifications",
            request,
            headers: headers
        )
        try connection.output.say(
            "Accepted: \(accepted.data.id). How far it is: martlet notifications show \(accepted.data.id)",
            data: accepted.data
        )
    }

    private func audience() throws -> AudienceRequest {
        if let topic { return AudienceRequest(topic: topic) }
        guard let file else { return named.isEmpty ? AudienceRequest(all: true) : AudienceRequest(users: named) }
        var users: [String] = []
        var lines = try FileLines(file, limit: Self.lineLimit)
        while let line = try lines.next() {
            guard !line.isTooLong else {
                throw CommandFailure(
                    "Line \(line.number) is longer than a user's id.",
                    hint: "Write one user on each line."
                )
            }
            let user = String(decoding: line.bytes, as: UTF8.self).trimmingCharacters(in: .whitespaces)
            if !user.isEmpty { users.append(user) }
        }
        guard !users.isEmpty else {
            throw CommandFailure("There is no user in \(file == "-" ? "standard input" : file).")
        }
        return AudienceRequest(users: users)
    }

    private func request(_ audience: AudienceRequest) throws -> JSONValue {
        var request = SendRequest()
        try request.set(audience)
        for (name, text) in [
            ("app", app), ("category", category), ("title", title), ("body", body), ("image", image),
            ("deep_link", link),
        ] {
            request.set(name, text.map { .string($0) })
        }
        request.set("inbox", inbox.map { .bool($0) })
        if let expires { request.add(inbox: "expires_at", .string(expires)) }
        request.set("badge", try badge.map(BadgeWord.value))
        return request.document
    }
}

/// How many people an app has, as far as a person waits for it.
struct PeopleCount {
    let client: APIClient
    let app: String?

    /// How many pages of a thousand devices are looked through.
    private static let pages = 10

    /// Such as `everybody: 3 people with 5 devices`.
    var words: String {
        get async throws {
            var (people, devices, cursor) = (Swift.Set<String>(), 0, String?.none)
            for _ in 0..<Self.pages {
                let path: APIPath = "devices"
                let query = [("app", app), ("limit", "1000"), ("cursor", cursor)]
                let page: List<DeviceResponse> = try await client.get(path.query(query))
                devices += page.data.count
                people.formUnion(page.data.compactMap(\.userID))
                cursor = page.next
                if cursor == nil { break }
            }
            let more = cursor == nil ? "" : "more than "
            return "everybody: \(more)\(people.count) people with \(more)\(devices) devices"
        }
    }
}
