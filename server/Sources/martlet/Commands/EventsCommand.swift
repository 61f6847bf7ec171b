import ArgumentParser
import MartletWire

/// `martlet events`.
struct EventsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "events",
        abstract: "What phones report: deliveries, opens, dismissals, links, tokens.",
        subcommands: [Tail.self, Query.self, Export.self],
        defaultSubcommand: Tail.self
    )

    /// `martlet events tail`.
    struct Tail: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Shows the newest events, and with --follow new ones as they arrive.",
            discussion: """
                Examples: martlet events tail --app com.example.app --follow
                          martlet events tail --type open --message 01890a5d-ac96-774b-bcce-b302099a8057
                """
        )

        @Option(name: .shortAndLong, help: "How many to start with, 1 to 1000.")
        var number = 20
        @Flag(name: .shortAndLong, help: "Wait for more, until the program is ended.")
        var follow = false
        @OptionGroup var filter: EventFilterOptions
        @OptionGroup var connection: ConnectionOptions

        mutating func validate() throws {
            guard (1...1000).contains(number) else { throw ValidationError("--number is from 1 to 1000.") }
        }

        func run() async throws {
            let client = try await connection.client()
            let path: APIPath = "events"
            let query = try filter.parameters()
            let first = query + [("newest", String(number)), ("limit", String(number))]
            var part: List<EventItem> = try await client.get(path.query(first))
            let output = EventLines(output: connection.output)
            // What came between the two queries is not on another page.
            part.next = nil
            if follow || connection.json {
                try output.show(part.data, isFirst: true)
            } else {
                try connection.output.show(part, columns: EventLines.columns, empty: "There are no events.")
            }
            var position = part.data.last?.position ?? 0
            while follow {
                // As often as a person looks.
                if part.data.count < 1000 { try await Task.sleep(for: .seconds(1)) }
                part = try await client.get(path.query(query + [("after", String(position)), ("limit", "1000")]))
                try output.show(part.data, isFirst: false)
                position = part.data.last?.position ?? position
            }
        }
    }

    /// `martlet events query`.
    struct Query: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Runs one SELECT over mobile.push_events.",
            discussion: """
                SQLite's SQL, with td_time_add and now() as Treasure Data has them; it needs an admin key.

                Examples: martlet events query "SELECT type, count(*) FROM mobile.push_events GROUP BY type"
                          martlet events query --csv "SELECT * FROM mobile.push_events \\
                              WHERE time > td_time_add(now(), '-1h', 'JST') ORDER BY time DESC LIMIT 20"
                """
        )

        @Argument(help: "The SELECT; - reads it from standard input.")
        var sql: String
        @OptionGroup var app: AllAppsOptions
        @Option(help: "How many rows to show, 1 to 10000.")
        var limit = 1_000
        @OptionGroup var csv: CSVOptions
        @OptionGroup var connection: ConnectionOptions

        mutating func validate() throws {
            guard (1...10_000).contains(limit) else { throw ValidationError("--limit is from 1 to 10000.") }
        }

        func run() async throws {
            let text = sql == "-" ? try InputFile.text(sql) : sql
            let request = EventQueryRequest(sql: text, app: app.app, limit: limit)
            let answer: Item<EventTable> = try await connection.client().call(.post, "events/query", request)
            let table = answer.data
            if connection.json { return try connection.output.json(answer) }
            if csv.csv {
                connection.output.write(csv.line(table.columns.map { .string($0) }))
                for row in table.rows { connection.output.write(csv.line(row)) }
            } else if table.rows.isEmpty {
                connection.output.lines(["There are no rows."])
            } else {
                let rows = table.rows.map { $0.map(\.cell) }
                connection.output.table(Table(head: table.columns.map(TextWidth.printable), rows: rows))
            }
            if table.isTruncated {
                Terminal.note("There is more: \(table.rows.count) rows are shown; --limit 10000 shows at most 8 MiB.")
            }
        }
    }

    /// `martlet events export`.
    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Writes events to standard output, as CSV or as one JSON object per line.",
            discussion: """
                Examples: martlet events export --csv --since 7d > events.csv
                          martlet events export --json --type open --since 2026-03-01T00:00:00Z | jq .user_id
                """
        )

        @OptionGroup var filter: EventFilterOptions
        @OptionGroup var csv: CSVOptions
        @OptionGroup var connection: ConnectionOptions

        func run() async throws {
            let client = try await connection.client()
            let path: APIPath = "events"
            let query = try filter.parameters()
            let progress = ProgressLine()
            defer { progress.clear() }
            if !connection.json { connection.output.write(csv.line(EventLines.fileColumns.map { .string($0) })) }
            var position: Int64 = 0
            var count = 0
            while true {
                let page = query + [("after", String(position)), ("limit", "1000")]
                let part: List<EventItem> = try await client.get(path.query(page))
                for event in part.data {
                    if connection.json {
                        try connection.output.jsonLine(event)
                    } else {
                        connection.output.write(csv.line(EventLines.values(event)))
                    }
                }
                count += part.data.count
                progress.show(done: 0, total: 0, "\(count) events")
                guard let last = part.data.last, part.next != nil else { return }
                position = last.position
            }
        }
    }
}
