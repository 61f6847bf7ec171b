import ArgumentParser
import Foundation
import MartletWire

/// `martlet subscriptions`.
struct SubscriptionsCommand: AsyncParsableCommand, Listed {
    static let configuration = CommandConfiguration(
        commandName: "subscriptions",
        abstract: "Manages the subscriptions of topics.",
        subcommands: [ListCommand<Self>.self, Add.self, Remove.self]
    )

    /// Who is subscribed, in words.
    static func subject(_ one: SubscriptionResponse) -> String {
        one.userID ?? one.endpointID?.description ?? one.url ?? ""
    }

    /// The filter's policy as text.
    static func filter(_ one: SubscriptionResponse) -> String? {
        one.filterPolicy.flatMap { try? $0.json() }.map { String(decoding: $0, as: UTF8.self) }
    }

    static let list = ListRow<SubscriptionResponse, Paged<TopicOptions>>(
        abstract: "Lists a topic's subscriptions, oldest first.",
        discussion: "Example: martlet subscriptions list line-4 --app com.example.app",
        path: { "topics/\($0.subject.topic)/subscriptions" },
        empty: { _ in "Nobody is subscribed: martlet subscriptions add --help" },
        columns: [
            ("KIND", \.kind.rawValue), ("SUBSCRIBER", { subject($0) }),
            ("STATE", { $0.isConfirmed ? "confirmed" : "pending" }), ("FILTER", { filter($0) }),
            ("ID", \.id.description),
        ]
    )

    /// `martlet subscriptions add`.
    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Subscribes a user, on all devices, or one device.",
            discussion: """
                A filter policy is that of Amazon SNS: the subscriber gets only what matches it.

                Examples:
                  martlet subscriptions add line-4 --app com.example.app --user amira
                  martlet subscriptions add line-4 --user amira --filter '{"delay":[{"numeric":[">=",10]}]}'
                """
        )

        @Argument(help: "The topic's name or id.")
        var topic: String
        @Option(help: "The app of the user or device, by name or id; a key of one app needs none.")
        var app: String?
        @Flag(help: "The topic belongs to the server, not to the app.")
        var serverTopic = false
        @Option(help: "A user by the id that the app knows them by.")
        var user: String?
        @Option(help: "A device by its id.")
        var endpoint: String?
        @Option(help: ArgumentHelp("A filter policy for the messages.", valueName: "json"))
        var filter: String?
        @Option(help: "What the filter applies to: 'attributes', or 'body' for the app's own values.")
        var scope: FilterScopeName?
        @OptionGroup var connection: ConnectionOptions

        func run() async throws {
            var request = SubscriptionRequest(app: app, userID: user, filterScope: scope)
            if let endpoint {
                guard let id = PublicID(endpoint) else { throw CommandFailure("'\(endpoint)' is not a device's id.") }
                request.endpointID = id
            }
            if let filter {
                guard let policy = try InputFile.json(Data(filter.utf8), from: "--filter").objectValue else {
                    throw CommandFailure("--filter is not a JSON object.", hint: #"Write it as '{"kind":["delay"]}'"#)
                }
                request.filterPolicy = policy
            }
            let path: APIPath = "topics/\(topic)/subscriptions"
            let made: Item<SubscriptionResponse> = try await connection.client()
                .call(.post, path.query([("app", serverTopic ? nil : app)]), request)
            try connection.output.say(
                "\(SubscriptionsCommand.subject(made.data)) is subscribed to \(made.data.topic): \(made.data.id)",
                data: made.data
            )
        }
    }

    /// `martlet subscriptions remove`.
    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Ends a subscription.",
            discussion: "Example: martlet subscriptions remove 01890a5d-ac96-774b-bcce-b302099a8057"
        )

        @Argument(help: "The subscription's id.")
        var id: String
        @OptionGroup var connection: ConnectionOptions

        func run() async throws {
            try await connection.client().perform(.delete, "subscriptions/\(id)")
            try connection.output.say("Removed \(id).", data: ["removed": id])
        }
    }
}
