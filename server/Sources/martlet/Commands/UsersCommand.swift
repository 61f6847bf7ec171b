import ArgumentParser
import MartletWire

/// `martlet users`.
struct UsersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "users",
        abstract: "What happened to a user, and forgetting one.",
        subcommands: [Timeline.self, Erase.self]
    )

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

        /// How often the server is asked for one page.
        private static let requests = 20

        func validate() throws {
            guard (1...200).contains(limit) else { throw ValidationError("--limit is from 1 to 200.") }
            for (flag, text) in [("--since", since), ("--until", until)] {
                guard let text, UTCTime(text) == nil else { continue }
                throw ValidationError("\(flag) is a time such as 2026-03-01T12:00:00Z, and not '\(text)'.")
            }
        }

        func run() async throws {
            let client = try await connection.client()
            let path: APIPath = "users/\(person.user)/timeline"
            var found = MartletWire.List<TimelineItem>([], next: cursor)
            for _ in 0..<Self.requests {
                let query = [
                    ("kind", kind?.rawValue), ("since", since), ("until", until),
                    ("limit", String(limit - found.data.count)), ("cursor", found.next),
                ]
                let page: MartletWire.List<TimelineItem> = try await client.get(path.query(person.parameters + query))
                found = MartletWire.List(found.data + page.data, next: page.next)
                if found.next == nil || found.data.count >= limit { break }
            }
            try connection.output.show(
                found,
                head: ["AT", "KIND", "WHAT", "NOTIFICATION", "DETAIL"],
                empty: found.next.map { "Nothing was found so far. Go on with --cursor \($0)" } ?? "Nothing happened."
            ) {
                [$0.at.description, $0.kind.rawValue, $0.what, $0.notificationID?.description, $0.detail]
            }
        }
    }

    /// `martlet users erase`.
    struct Erase: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Forgets what a user chose, read and did; what was recorded of deliveries no longer names them.",
            discussion: "Example: martlet users erase amira --app com.example.app --yes"
        )

        @OptionGroup var person: PersonOptions
        @Flag(help: "Do not ask: it cannot be undone.")
        var yes = false
        @OptionGroup var connection: ConnectionOptions

        func run() async throws {
            let question = "Forget what \(person.user) chose, read and did, for good?"
            try Terminal.confirm(question, isAnswered: yes, orElse: "Nobody was forgotten.")
            let path: APIPath = "users/\(person.user)"
            try await connection.client().perform(.delete, path.query(person.parameters))
            try connection.output.say("\(person.user) is forgotten.", data: ErasedUser(userID: person.user))
        }
    }
}

/// What `users erase --json` prints.
private struct ErasedUser: Encodable, Sendable {
    var userID: String

    enum CodingKeys: String, CodingKey { case userID = "user_id" }
}
