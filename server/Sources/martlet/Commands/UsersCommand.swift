import ArgumentParser
import MartletWire

/// `martlet users`.
struct UsersCommand: AsyncParsableCommand, Listed {
    static let configuration = CommandConfiguration(
        commandName: "users",
        abstract: "Finding users, what happened to one, and forgetting one.",
        subcommands: [ListCommand<Self>.self, Timeline.self, Erase.self]
    )

    static let list = ListRow<PersonItem, SearchOptions>(
        name: "search",
        abstract:
            "Finds up to 20 users by the beginning of their id, a device's token or an installation's id, or the first.",
        discussion: """
            Examples:
              martlet users search ami
              martlet users search --app com.example.app
              martlet users search 01890a5d-ac96-774b-bcce-b302099a8057 --app com.example.app
            """,
        path: { _ in "people/search" },
        empty: { _ in "Nobody was found." },
        columns: [
            ("USER", \.userID), ("MATCHED", \.matched.rawValue), ("DEVICE", \.endpointID?.description),
            ("PROVIDER", \.platform?.rawValue), ("APP", \.appID.description),
        ]
    )

    /// Which users are found.
    struct SearchOptions: RequestOptions {
        @Argument(
            help:
                "The beginning of a user's id, a device's whole token, or an installation's id; without it, the first 20."
        )
        var text: String?
        @OptionGroup var app: AllAppsOptions

        var parameters: [(String, String?)] { [("q", text)] + app.parameters }
    }

    /// `martlet users timeline`.
    struct Timeline: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists what happened to a user, newest first.",
            discussion: """
                Deliveries and events are found among the newest of the app; it goes on from there until it has enough, or \
                has asked twenty times.

                Examples:
                  martlet users timeline amira --app com.example.app
                  martlet users timeline amira --app com.example.app --kind suppression --since 2026-03-01T00:00:00Z
                """
        )

        @OptionGroup var person: PersonOptions
        @Option(help: "Only a delivery, suppression, preference, device, inbox or event.")
        var kind: TimelineKind?
        @Option(help: "Only what happened then or later, such as 2026-03-01T12:00:00Z")
        var since: String?
        @Option(help: "Only what happened before then.")
        var until: String?
        @Option(help: "How many to show, 1 to 200.")
        var limit = 50
        @Option(help: "The cursor that the previous page printed.")
        var cursor: String?
        @OptionGroup var connection: ConnectionOptions

        func validate() throws {
            guard (1...200).contains(limit) else { throw ValidationError("--limit is from 1 to 200.") }
            for (flag, text) in [("--since", since), ("--until", until)] {
                guard let text, UTCTime(text) == nil else { continue }
                throw ValidationError("\(flag) is a time such as 2026-03-01T12:00:00Z, and not '\(text)'.")
            }
        }

        func run() async throws {
            let query = person.parameters + [("kind", kind?.rawValue), ("since", since), ("until", until)]
            let found: List<TimelineItem> = try await connection.client()
                .search("users/\(person.user)/timeline", query, limit: limit, from: cursor)
            try connection.output.show(
                found,
                columns: Self.columns,
                empty: found.next.map { "Nothing was found so far. Go on with --cursor \($0)" } ?? "Nothing happened."
            )
        }

        private static let columns: [Column<TimelineItem>] = [
            ("AT", \.at.description), ("KIND", \.kind.rawValue), ("WHAT", \.what),
            ("NOTIFICATION", \.notificationID?.description), ("DETAIL", \.detail),
        ]
    }

    /// `martlet users erase`.
    struct Erase: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Forgets what a user chose, read and did, and removes their devices.",
            discussion:
                "What was recorded of deliveries no longer names them. Example: martlet users erase amira --app com.example.app --yes"
        )

        @OptionGroup var person: PersonOptions
        @Flag(help: "Do not ask: it cannot be undone.")
        var yes = false
        @Flag(help: "Keep their devices: they become anonymous, and get what is sent to everybody.")
        var keepDevices = false
        @OptionGroup var connection: ConnectionOptions

        func run() async throws {
            let devices = keepDevices ? "keep their devices, without a user" : "remove their devices"
            let question = "Forget what \(person.user) chose, read and did, for good, and \(devices)?"
            try Terminal.confirm(question, isAnswered: yes, orElse: "Nobody was forgotten.")
            let path: APIPath = "users/\(person.user)"
            let query = person.parameters + [("keep_devices", keepDevices ? "true" : nil)]
            try await connection.client().perform(.delete, path.query(query))
            let end = keepDevices ? "their devices are anonymous now" : "their devices are removed"
            let erased = ErasedUser(userID: person.user, devices: keepDevices ? "kept" : "removed")
            try connection.output.say("\(person.user) is forgotten, and \(end).", data: erased)
        }
    }
}

/// What `users erase --json` prints.
private struct ErasedUser: Encodable, Sendable {
    var userID: String
    var devices: String

    enum CodingKeys: String, CodingKey {
        case userID = "user_id"
        case devices
    }
}
