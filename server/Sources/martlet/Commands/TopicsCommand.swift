import ArgumentParser
import MartletWire

/// `martlet topics`.
struct TopicsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "topics",
        abstract: "Manages topics, to which users and devices subscribe.",
        subcommands: [List.self, Create.self, Show.self, Delete.self],
        defaultSubcommand: List.self
    )

    /// A topic as pairs.
    static func pairs(_ topic: TopicResponse) -> [(String, String?)] {
        let counts = topic.subscriptions
        return [
            ("name", topic.name), ("id", topic.id.description), ("app", topic.appID?.description ?? "the server"),
            ("region", topic.region), ("subscriptions", "\(counts.confirmed), and \(counts.pending) not confirmed"),
            ("attributes", words(topic.attributes)), ("tags", words(topic.tags)), ("made", topic.createdAt.description),
        ]
    }

    private static func words(_ values: [String: String]) -> String? {
        guard !values.isEmpty else { return nil }
        return values.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: ", ")
    }

    /// `martlet topics list`.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists topics, of one app or all that the key can see.",
            discussion: "Example: martlet topics list --app com.example.app"
        )

        @Option(help: "The app's name or id. Default: all that the key can see.")
        var app: String?
        @OptionGroup var page: PageOptions
        @OptionGroup var connection: ConnectionOptions

        func run() async throws {
            let path: APIPath = "topics"
            let topics: MartletWire.List<TopicResponse> = try await connection.client()
                .get(path.query([("app", app)] + page.parameters))
            try connection.output.show(
                topics,
                head: ["NAME", "REGION", "SUBSCRIPTIONS", "APP", "MADE", "ID"],
                empty: "There are no topics: martlet topics create --help"
            ) {
                [
                    $0.name, $0.region, String($0.subscriptions.confirmed), $0.appID?.description ?? "the server",
                    $0.createdAt.description, $0.id.description,
                ]
            }
        }
    }

    /// `martlet topics create`.
    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Creates a topic, or returns the one of that name.",
            discussion: "Example: martlet topics create line-4 --app com.example.app --tag team=transit"
        )

        @Argument(help: "The name: letters, digits, '_' and '-'.")
        var name: String
        @Option(help: "The app's name or id; without one, and with a key of all apps, the topic is the server's own.")
        var app: String?
        @Option(
            name: .customLong("tag"),
            help: ArgumentHelp("A tag; repeatable.", valueName: "key=value")
        )
        var tags: [String] = []
        @OptionGroup var connection: ConnectionOptions

        func run() async throws {
            var words: [String: String] = [:]
            for tag in tags {
                let (key, value) = try NamedValue.parse(tag, flag: "--tag")
                words[key] = value
            }
            let request = TopicRequest(name: name, app: app, tags: words.isEmpty ? nil : words)
            let topic: Item<TopicResponse> = try await connection.client().call(.post, "topics", request)
            try connection.output.show(topic.data, pairs: TopicsCommand.pairs(topic.data))
        }
    }

    /// `martlet topics show`.
    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Shows a topic.",
            discussion: "Example: martlet topics show line-4 --app com.example.app"
        )

        @Argument(help: "The topic's name or id.")
        var topic: String
        @Option(help: "The app whose topic it is, by name or id; a key of one app needs none.")
        var app: String?
        @OptionGroup var connection: ConnectionOptions

        func run() async throws {
            let path: APIPath = "topics/\(topic)"
            let found: Item<TopicResponse> = try await connection.client().get(path.query([("app", app)]))
            try connection.output.show(found.data, pairs: TopicsCommand.pairs(found.data))
        }
    }

    /// `martlet topics delete`.
    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Deletes a topic with its subscriptions; what was accepted for it is still delivered.",
            discussion: "Example: martlet topics delete line-4 --app com.example.app --yes"
        )

        @Argument(help: "The topic's name or id.")
        var topic: String
        @Option(help: "The app whose topic it is, by name or id; a key of one app needs none.")
        var app: String?
        @Flag(help: "Really delete it: its subscriptions cannot be restored.")
        var yes = false
        @OptionGroup var connection: ConnectionOptions

        func run() async throws {
            guard yes else { throw CommandFailure.notDeleted("\(topic) with its subscriptions") }
            let client = try await connection.client()
            let path: APIPath = "topics/\(topic)"
            let found: Item<TopicResponse> = try await client.get(path.query([("app", app)]))
            try await client.perform(.delete, "topics/\(found.data.id)")
            try connection.output.say("Deleted \(found.data.name).", data: found.data)
        }
    }
}
