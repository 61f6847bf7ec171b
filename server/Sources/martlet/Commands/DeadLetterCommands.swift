import ArgumentParser
import MartletWire

/// `martlet dead-letters`.
struct DeadLettersCommand: AsyncParsableCommand, Retried {
    static let configuration = CommandConfiguration(
        commandName: "dead-letters",
        abstract: "Deliveries that used up their attempts.",
        subcommands: [ListCommand<Self>.self, RetryCommand<Self>.self],
        defaultSubcommand: ListCommand<Self>.self
    )

    static let list = ListRow<DeadLetterItem, Paged<AllAppsOptions>>(
        abstract: "Lists an app's dead letters, newest first.",
        discussion: "Example: martlet dead-letters list --app com.example.app",
        path: { _ in "dead-letters" },
        empty: { _ in "There are no dead letters." },
        columns: [
            ("DIED AT", \.diedAt.description), ("USER", \.userID), ("REASON", \.reason),
            ("ATTEMPTS", \.attempts.description), ("NOTIFICATION", \.notificationID.description),
            ("ID", \.id.description),
        ]
    )

    static let retry = RetryRow(
        abstract: "Sends dead letters again, with new attempts.",
        discussion: "Example: martlet dead-letters retry 01890a5d-ac96-774b-bcce-b302099a8057",
        ids: "The dead letters' ids.",
        path: "dead-letters",
        verb: "sent"
    )
}

/// `martlet webhook-dead-letters`.
struct WebhookDeadLettersCommand: AsyncParsableCommand, Retried {
    static let configuration = CommandConfiguration(
        commandName: "webhook-dead-letters",
        abstract: "Messages that subscribed webhook URLs did not accept.",
        subcommands: [ListCommand<Self>.self, RetryCommand<Self>.self],
        defaultSubcommand: ListCommand<Self>.self
    )

    static let list = ListRow<WebhookDeadLetterItem, PageOptions>(
        abstract: "Lists them, newest first.",
        discussion: "Example: martlet webhook-dead-letters list --limit 20",
        path: { _ in "webhook-dead-letters" },
        empty: { _ in "There are no dead letters of webhook URLs." },
        columns: [
            ("DIED AT", \.diedAt.description), ("URL", \.url), ("REASON", \.reason),
            ("ATTEMPTS", \.attempts.description), ("TOPIC", \.topic), ("ID", \.id.description),
        ]
    )

    static let retry = RetryRow(
        abstract: "Sends them again, with new attempts.",
        discussion: "Example: martlet webhook-dead-letters retry 01890a5d-ac96-774b-bcce-b302099a8057",
        ids: "The dead letters' ids.",
        path: "webhook-dead-letters",
        verb: "sent"
    )
}

/// `martlet quarantine`.
struct QuarantineCommand: AsyncParsableCommand, Retried {
    static let configuration = CommandConfiguration(
        commandName: "quarantine",
        abstract: "Work that crashed the server repeatedly, or cannot be read, and is no longer tried.",
        subcommands: [ListCommand<Self>.self, RetryCommand<Self>.self],
        defaultSubcommand: ListCommand<Self>.self
    )

    static let list = ListRow<QuarantineItem, Paged<AllAppsOptions>>(
        abstract: "Lists an app's quarantined work, newest first.",
        discussion: "Example: martlet quarantine list --app com.example.app",
        path: { _ in "quarantine" },
        empty: { _ in "Nothing is quarantined." },
        columns: [
            ("SINCE", \.since.description), ("KIND", \.kind.rawValue), ("DELIVERIES", \.deliveries.description),
            ("REASON", \.reason.rawValue), ("TRIES", \.tries.description),
            ("NOTIFICATION", \.notificationID.description), ("ID", \.id.description),
        ]
    )

    static let retry = RetryRow(
        abstract: "Tries quarantined work again.",
        discussion: "Example: martlet quarantine retry 01890a5d-ac96-774b-bcce-b302099a8057",
        ids: "The ids that the list shows.",
        path: "quarantine",
        verb: "tried"
    )
}
