import ArgumentParser
import MartletWire

/// `martlet audit`.
struct AuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Who changed what, newest first.",
        discussion: """
            Changes in the console, and those by admin and send keys, through REST, the SNS interface and this program. \
            Secrets are never in it. A notification to one person is not in it, one to several is, without what it says.

            Examples:
              martlet audit
              martlet audit --actor ann -n 20
              martlet audit --action app.delete
              martlet audit --subject category:news --app com.example.app
              martlet audit --actor MKIAQWERTYUIOPASDFGH --json
            """
    )

    @Option(help: "Only changes by this operator's name or id, this key's id, or 'system'.")
    var actor: String?
    @Option(help: ArgumentHelp("Only this action, such as app.update.", valueName: "noun.verb"))
    var action: String?
    @Option(help: ArgumentHelp("Only changes of this, such as category:news or key:ID.", valueName: "kind:id"))
    var subject: String?
    @Option(help: "Only changes about this app, by name or id.")
    var app: String?
    @Option(name: .shortAndLong, help: "How many to show, 1 to 1000.")
    var number = 100
    @Option(help: "The cursor that the previous page printed.")
    var cursor: String?
    @OptionGroup var connection: ConnectionOptions

    mutating func validate() throws {
        guard (1...1000).contains(number) else { throw ValidationError("--number is from 1 to 1000.") }
    }

    func run() async throws {
        let path: APIPath = "audit"
        let parameters = [
            ("actor", actor), ("action", action), ("subject", subject), ("app", app), ("limit", String(number)),
            ("cursor", cursor),
        ]
        let found: List<AuditItem> = try await connection.client().get(path.query(parameters))
        try connection.output.show(found, columns: Self.columns, empty: "There are no such changes.")
    }

    private static let columns: [Column<AuditItem>] = [
        ("AT", \.at.description),
        ("WHO", { $0.actor.kind == .system ? $0.actor.name : "\($0.actor.name) (\($0.actor.kind.rawValue))" }),
        ("ACTION", \.action), ("SUBJECT", { "\($0.subject.kind):\($0.subject.id)" }),
        ("CHANGE", { ChangeWords(before: $0.before, after: $0.after).text }),
    ]
}
