import ArgumentParser
import MartletWire

/// `martlet inbox`.
struct InboxCommand: AsyncParsableCommand, Listed {
    static let configuration = CommandConfiguration(
        commandName: "inbox",
        abstract: "What a user can read later.",
        subcommands: [ListCommand<Self>.self, Counts.self, Read.self, Archive.self, Recall.self]
    )

    static let list = ListRow<InboxItemResponse, Filter>(
        abstract: "Lists a user's inbox, newest first.",
        discussion: "Example: martlet inbox list amira --app com.example.app --status unread",
        path: { "users/\($0.person.user)/inbox" },
        empty: { _ in "There is nothing." },
        columns: [
            ("PUBLISHED AT", \.publishedAt.description), ("STATUS", \.word), ("CATEGORY", \.category),
            ("TITLE", { $0.title ?? $0.body }), ("LEAVES AT", \.expiresAt.description), ("ID", \.id.description),
        ]
    )

    /// Which items a list has.
    struct Filter: RequestOptions {
        @OptionGroup var person: PersonOptions
        @Option(help: "Only those that are active, unseen, unread, read or archived. Default: active.")
        var status: InboxStatusName?
        @Option(help: "Only those of a category, by its key.")
        var category: String?
        @Option(help: "How many to show, 1 to 100.")
        var limit = 100
        @Option(help: "The cursor that the previous page printed.")
        var cursor: String?

        func validate() throws {
            guard (1...100).contains(limit) else { throw ValidationError("--limit is from 1 to 100.") }
        }

        var parameters: [(String, String?)] {
            person.parameters + [
                ("status", status?.rawValue), ("category", category), ("limit", String(limit)), ("cursor", cursor),
            ]
        }
    }

    /// `martlet inbox counts`.
    struct Counts: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Counts what a user has not read.",
            discussion: "Example: martlet inbox counts amira --app com.example.app"
        )

        @OptionGroup var person: PersonOptions
        @OptionGroup var connection: ConnectionOptions

        func run() async throws {
            let path: APIPath = "users/\(person.user)/inbox/counts"
            let counts: Item<InboxCountsResponse> = try await connection.client().get(path.query(person.parameters))
            try connection.output.say(counts.data.sentence, data: counts.data)
        }
    }

    /// Which items are marked, as flags.
    struct Items: ParsableArguments {
        @OptionGroup var person: PersonOptions
        @Argument(help: "The items, by their ids; at most 100.")
        var ids: [String] = []
        @Option(help: "All items that are not newer than this one, in place of single ones.")
        var upTo: String?
        @Option(help: "With --up-to: only those of a category, by its key.")
        var category: String?

        func validate() throws {
            guard ids.isEmpty != (upTo == nil) else {
                throw ValidationError("Name items by their ids, or --up-to one.")
            }
            guard ids.count <= InboxActionRequest.limit else {
                throw ValidationError("At most \(InboxActionRequest.limit) items at a time; --up-to marks all.")
            }
            guard category == nil || upTo != nil else { throw ValidationError("--category is for --up-to.") }
        }

        /// Marks them, and says what is left.
        func mark(_ action: InboxAction, _ connection: ConnectionOptions) async throws {
            let request =
                try upTo.map { InboxActionRequest(action, upTo: try id($0), category: category) }
                ?? InboxActionRequest(action, ids: try ids.map(id))
            let counts: Item<InboxCountsResponse> = try await connection.client()
                .call(.post, APIPath("users/\(person.user)/inbox/actions").query(person.parameters), request)
            try connection.output.say(counts.data.sentence, data: counts.data)
        }

        private func id(_ text: String) throws -> PublicID {
            guard let id = PublicID(text) else {
                throw CommandFailure(
                    "'\(text)' is not an item's id.",
                    hint: "martlet inbox list \(person.user) has them."
                )
            }
            return id
        }
    }

    /// `martlet inbox read`.
    struct Read: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Marks a user's items as read; what is not on its way to their devices is not sent any more.",
            discussion: """
                Examples:
                  martlet inbox read amira 01890a5d-ac96-774b-bcce-b302099a8057 --app com.example.app
                  martlet inbox read amira --up-to 01890a5d-ac96-774b-bcce-b302099a8057 --app com.example.app
                """
        )

        @OptionGroup var items: Items
        @OptionGroup var connection: ConnectionOptions

        func run() async throws { try await items.mark(.read, connection) }
    }

    /// `martlet inbox archive`.
    struct Archive: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Puts a user's items away; who does that has read them.",
            discussion:
                "Example: martlet inbox archive amira 01890a5d-ac96-774b-bcce-b302099a8057 --app com.example.app"
        )

        @OptionGroup var items: Items
        @OptionGroup var connection: ConnectionOptions

        func run() async throws { try await items.mark(.archive, connection) }
    }

    /// `martlet inbox recall`.
    struct Recall: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Takes a notification's item out of all inboxes, and cancels what has not been sent.",
            discussion: "Example: martlet inbox recall 01890a5d-ac96-774b-bcce-b302099a8057 --yes"
        )

        @Argument(help: "The notification's id, which is the item's.")
        var id: String
        @Flag(help: "Do not ask: it cannot be undone.")
        var yes = false
        @OptionGroup var connection: ConnectionOptions

        func run() async throws {
            let question = "Take \(id) out of all inboxes, for good?"
            try Terminal.confirm(question, isAnswered: yes, orElse: "Nothing was recalled.")
            let after: Item<NotificationResponse> = try await connection.client()
                .call(.post, "notifications/\(id)/recall")
            let summary = NotificationsCommand.summary(after.data.counts)
            try connection.output.say("\(id) is recalled; its pushes: \(summary).", data: after.data)
        }
    }
}

extension InboxItemResponse {
    /// The status in a word.
    fileprivate var word: String {
        if isArchived { return "archived" }
        if isRead { return "read" }
        return isSeen ? "seen" : "unseen"
    }
}

extension InboxCountsResponse {
    /// The counts for people.
    fileprivate var sentence: String { "\(unread) unread, of which \(unseen) unseen." }
}
