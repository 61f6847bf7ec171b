import ArgumentParser

/// The flags of a command that are parameters of its request.
protocol RequestOptions: ParsableArguments {
    /// Names and values; those without a value are left out.
    var parameters: [(String, String?)] { get }
}

/// Which part of a list to show.
struct PageOptions: RequestOptions {
    @Option(help: "How many to show, 1 to 1000.")
    var limit = 100

    @Option(help: "The cursor that the previous page printed.")
    var cursor: String?

    mutating func validate() throws {
        guard (1...1000).contains(limit) else { throw ValidationError("--limit is from 1 to 1000.") }
    }

    var parameters: [(String, String?)] { [("limit", String(limit)), ("cursor", cursor)] }
}

/// What a list is about, and which part of it to show.
struct Paged<Subject: RequestOptions>: RequestOptions {
    @OptionGroup var subject: Subject
    @OptionGroup var page: PageOptions

    var parameters: [(String, String?)] { subject.parameters + page.parameters }
}

/// The app that a command is about.
struct AppOptions: RequestOptions {
    @Option(help: "The app's name or id; a key of one app needs none.")
    var app: String?

    var parameters: [(String, String?)] { [("app", app)] }
}

/// The app that a command is about, or all of them.
struct AllAppsOptions: RequestOptions {
    @Option(help: "The app's name or id. Default: all that the key can see.")
    var app: String?

    var parameters: [(String, String?)] { [("app", app)] }
}

/// The app that a command names first.
struct AppArgument: RequestOptions {
    @Argument(help: "The app's name or id.")
    var app: String

    var parameters: [(String, String?)] { [] }
}

/// The topic that a command is about.
struct TopicOptions: RequestOptions {
    @Argument(help: "The topic's name or id.")
    var topic: String
    @Option(help: "The app whose topic it is, by name or id; a key of one app needs none.")
    var app: String?

    var parameters: [(String, String?)] { [("app", app)] }
    var path: APIPath { APIPath("topics/\(topic)").query(parameters) }
}

/// The notification that a command is about.
struct NotificationOptions: RequestOptions {
    @Argument(help: "The notification's id.")
    var id: String

    var parameters: [(String, String?)] { [] }
}
