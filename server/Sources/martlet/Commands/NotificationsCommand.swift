import ArgumentParser
import Foundation
import MartletWire

/// `martlet notifications`.
struct NotificationsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notifications",
        abstract: "Notifications and their results.",
        subcommands: [
            List.self, Show.self, ListCommand<Deliveries>.self, ListCommand<Suppressions>.self, Cancel.self,
        ],
        defaultSubcommand: List.self
    )

    /// The counts that are not zero, in a few words.
    static func summary(_ counts: DeliveryCounts) -> String {
        let parts = [
            (counts.pending, "pending"), (counts.accepted, "accepted"), (counts.rejected, "rejected"),
            (counts.suppressed, "suppressed"), (counts.expired, "expired"), (counts.cancelled, "cancelled"),
            (counts.dead, "dead"),
        ]
        let words = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        return words.isEmpty ? "nobody" : words.joined(separator: ", ")
    }

    /// What phones reported, in a few words; `nil` for nothing.
    static func summary(_ events: EventCountsResponse) -> String? {
        let parts = [
            (events.deliveries, "delivered"), (events.opens, "opened"), (events.dismissals, "dismissed"),
            (events.links, "links"), (events.deeplinks, "deep links"),
        ]
        let words = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        return words.isEmpty ? nil : words.joined(separator: ", ")
    }

    /// `martlet notifications list`.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists notifications, newest first.",
            discussion: """
                With --search the server looks at so many notifications at a time, the newest first; this goes on from there \
                until it has enough, or has asked twenty times.

                Examples:
                  martlet notifications list --app com.example.app --status sending
                  martlet notifications list --search 'line 4' --since 7d
                  martlet notifications list --since 2026-03-01T00:00:00Z --until 2026-03-02T00:00:00Z
                """
        )

        @OptionGroup var app: AllAppsOptions
        @Option(help: "Only those that are scheduled, sending, done or cancelled.")
        var status: NotificationStatus?
        @Option(help: "Only those whose title or body contains this, in upper or lower case.")
        var search: String?
        @Option(help: "Only those since then: a time such as 2026-03-01T00:00:00Z, or how long ago, such as 7d or 1h.")
        var since: String?
        @Option(help: "Only those before then: a time, or how long ago.")
        var until: String?
        @OptionGroup var page: PageOptions
        @OptionGroup var connection: ConnectionOptions

        func run() async throws {
            let client = try await connection.client()
            let moment = try EventFilterOptions.time(since, now: Date(), flag: "--since")
            let end = try EventFilterOptions.time(until, now: Date(), flag: "--until")
            let query = [
                ("app", app.app), ("status", status?.rawValue), ("search", search), ("since", moment), ("until", end),
            ]
            let list: MartletWire.List<NotificationResponse> = try await client.search(
                "notifications",
                query,
                limit: page.limit,
                from: page.cursor
            )
            try connection.output.show(
                list,
                columns: Self.columns,
                empty: list.next.map { "Nothing was found so far. Go on with --cursor \($0)" }
                    ?? "There are no notifications."
            )
        }

        private static let columns: [Column<NotificationResponse>] = [
            ("ACCEPTED AT", \.createdAt.description), ("STATUS", \.status.rawValue), ("TITLE", { $0.title ?? $0.body }),
            ("DELIVERIES", { summary($0.counts) }), ("REPORTED", { summary($0.events) }), ("ID", \.id.description),
        ]
    }

    /// `martlet notifications show`.
    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Shows a notification, its progress, and what it waits for.",
            discussion: "Example: martlet notifications show 01890a5d-ac96-774b-bcce-b302099a8057"
        )

        @Argument(help: "The notification's id.")
        var id: String
        @OptionGroup var connection: ConnectionOptions

        func run() async throws {
            let client = try await connection.client()
            let found: Item<NotificationResponse> = try await client.get("notifications/\(id)")
            let one = found.data
            let audience =
                one.audience.count.map { "\($0) \(one.audience.kind.rawValue)" }
                ?? one.audience.topic.map { "topic \($0)" } ?? "everybody"
            try connection.output.show(
                one,
                pairs: [
                    ("id", one.id.description), ("app", one.appID.description), ("status", one.status.rawValue),
                    ("audience", audience), ("deliveries", NotificationsCommand.summary(one.counts)),
                    ("reported", NotificationsCommand.summary(one.events)),
                    ("title", one.title), ("body", one.body), ("class", one.class.rawValue),
                    ("priority", one.priority.word),
                    ("dedup key", one.dedupKey), ("collapse id", one.collapseID),
                    ("accepted at", one.createdAt.description), ("begins", one.sendAt.description),
                    ("expires", one.expiresAt.description),
                ]
            )
            guard !connection.json, one.counts.pending > 0 else { return }
            let pauses = one.pauses ?? []
            let reasons = try await client.waitingReasons(of: id, besides: pauses)
            let lines = pauses.map { $0.line(of: one.appID) } + reasons.map(\.line)
            if !lines.isEmpty { connection.output.lines([""] + lines) }
        }
    }

    /// `martlet notifications deliveries`.
    enum Deliveries: Listed {
        static let list = ListRow<DeliveryItem, Paged<NotificationOptions>>(
            name: "deliveries",
            abstract: "Shows the notification's result for each device, and the reason.",
            discussion: "Example: martlet notifications deliveries 01890a5d-ac96-774b-bcce-b302099a8057 --limit 1000",
            path: { "notifications/\($0.subject.id)/deliveries" },
            empty: { "There are no deliveries: martlet notifications suppressions \($0.subject.id) says why." },
            columns: [
                ("USER", \.userID), ("DEVICE", \.endpointID?.description), ("STATE", \.state.rawValue),
                ("REASON", \.reason), ("ATTEMPTS", \.attempts.description), ("AT", \.at?.description),
            ]
        )
    }

    /// `martlet notifications suppressions`.
    enum Suppressions: Listed {
        static let list = ListRow<SuppressionItem, Paged<NotificationOptions>>(
            name: "suppressions",
            abstract: "Shows who did not get the notification, and why.",
            discussion: "Example: martlet notifications suppressions 01890a5d-ac96-774b-bcce-b302099a8057",
            path: { "notifications/\($0.subject.id)/suppressions" },
            empty: { _ in "Nobody was left out." },
            // The same columns as those of deliveries.
            columns: [
                ("USER", \.userID), ("DEVICE", \.endpointID?.description), ("STATE", { _ in "suppressed" }),
                ("REASON", { item in item.heldBy.map { "\(item.reason) of \($0)" } ?? item.reason }),
                ("ATTEMPTS", { _ in "0" }), ("AT", \.at?.description),
            ]
        )
    }

    /// `martlet notifications cancel`.
    struct Cancel: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Cancels what has not been sent.",
            discussion: "Example: martlet notifications cancel 01890a5d-ac96-774b-bcce-b302099a8057"
        )

        @Argument(help: "The notification's id.")
        var id: String
        @OptionGroup var connection: ConnectionOptions

        func run() async throws {
            let after: Item<NotificationResponse> = try await connection.client().call(.delete, "notifications/\(id)")
            let summary = NotificationsCommand.summary(after.data.counts)
            try connection.output.say("\(id) is \(after.data.status.rawValue): \(summary).", data: after.data)
        }
    }
}
