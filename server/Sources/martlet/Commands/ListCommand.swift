import ArgumentParser
import MartletWire

/// What a noun's list is: where the server has it, what is shown of it, and its help.
struct ListRow<Element: Codable & Sendable, Options: RequestOptions>: Sendable {
    var name = "list"
    var abstract: String
    var discussion: String
    var path: @Sendable (Options) -> APIPath
    /// What is said of a list without anything in it.
    var empty: @Sendable (Options) -> String
    var columns: [Column<Element>]
}

/// What has a list.
protocol Listed {
    associatedtype Element: Codable & Sendable
    associatedtype Options: RequestOptions
    static var list: ListRow<Element, Options> { get }
}

/// The command that shows a noun's list, such as `martlet topics list`.
struct ListCommand<Noun: Listed>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        let row = Noun.list
        return CommandConfiguration(commandName: row.name, abstract: row.abstract, discussion: row.discussion)
    }

    @OptionGroup var options: Noun.Options
    @OptionGroup var connection: ConnectionOptions

    func run() async throws {
        let row = Noun.list
        let list: List<Noun.Element> = try await connection.client().get(row.path(options).query(options.parameters))
        try connection.output.show(list, columns: row.columns, empty: row.empty(options))
    }
}

/// How the entries of a noun's list are tried again.
struct RetryRow: Sendable {
    var abstract: String
    var discussion: String
    /// What the ids are.
    var ids: String
    var path: String
    /// What is done with them again, such as *sent*.
    var verb: String
}

/// What has a list whose entries can be tried again.
protocol Retried: Listed {
    static var retry: RetryRow { get }
}

/// The command that tries entries of a noun's list again, one after the other, and says so of each as it is done.
struct RetryCommand<Noun: Retried>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "retry",
            abstract: Noun.retry.abstract,
            discussion: Noun.retry.discussion
        )
    }

    @Argument(help: ArgumentHelp(Noun.retry.ids))
    var ids: [String]
    @OptionGroup var connection: ConnectionOptions

    func run() async throws {
        let (client, row) = (try await connection.client(), Noun.retry)
        var retried: [Noun.Element] = []
        for id in ids {
            let entry: Item<Noun.Element> = try await client.call(.post, "\(row.path)/\(id)/retry")
            retried.append(entry.data)
            if !connection.json { connection.output.lines(["\(id) is being \(row.verb) again."]) }
        }
        if connection.json { try connection.output.json(List(retried)) }
    }
}
