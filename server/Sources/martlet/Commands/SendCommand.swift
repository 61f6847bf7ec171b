import ArgumentParser
import Foundation
import MartletWire

/// `martlet send`.
struct SendCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "send",
        abstract: "Sends a notification.",
        discussion: """
            What to say comes from flags, from a file with the JSON of POST /api/v1/notifications, from the same on \
            standard input ('-'), or from an Xcode simulator's .apns file, whose 'Simulator Target Bundle' names the \
            app. Flags stand over the file. What goes to everybody asks before it does, with the number of people; --yes \
            answers that.

            With --wait it says the id at once, and what deliveries wait for: a queue that is paused, why and what \
            ends that, or a provider's last answer. At the end it has a row for each device that was refused or \
            missed. Ctrl-C ends the waiting and not the sending. The command returns 0 when somebody's provider \
            accepted it and none refused it, otherwise 1. Accepted by a provider does not mean that it reached the \
            phone.

            With --batch it sends many: each line of the file is one such request, and may have an 'idempotency_key' \
            of its own. Lines that are refused are printed with their number and the reason, and the command returns 1; \
            the others are accepted. With --idempotency-prefix a command that was interrupted can be run again: no \
            line that was accepted is sent twice, for 24 hours and as long as the lines keep their numbers. With \
            --json there is one object for each line, and the counts on the last one.

            Examples:
              martlet send --app com.example.app --user amira --title 'Line T4' --body 'Trains run every 20 minutes.'
              martlet send --app com.example.app --topic line-4 --attribute delay:=20 --body 'Line 4 is late.'
              martlet send alert.apns --user amira --wait
              martlet send --app com.example.app --all --body Hello --override 'fcm={"android":{"ttl":"60s"}}'
              martlet send --app com.example.app --all --body Hello --estimate
              martlet send --batch statements.jsonl --idempotency-prefix statements-2026-03
              echo '{"app":"com.example.app","audience":{"all":true},"body":"Hello"}' | martlet send - --yes
            """
    )

    @Argument(help: "A file with the request or a push, or '-' for standard input.")
    var file: String?
    @Option(help: ArgumentHelp("A file with a request on each line, or '-' for standard input.", valueName: "file"))
    var batch: String?
    @Option(
        help: ArgumentHelp(
            "With --batch: what the idempotency key of a line without its own begins with; its number follows.",
            valueName: "name"
        )
    )
    var idempotencyPrefix: String?
    @Option(help: "The app's name or id; a key of one app needs none.")
    var app: String?
    @Option(name: .customLong("user"), help: "A user, on all devices; repeatable.")
    var users: [String] = []
    @Option(name: .customLong("endpoint"), help: "A device by its id; repeatable.")
    var endpoints: [String] = []
    @Option(name: .customLong("token"), help: "A device by its token; repeatable.")
    var tokens: [String] = []
    @Option(help: "The provider of the tokens: 'apns', 'fcm' or 'webpush'. Default: apns")
    var platform: PlatformName?
    @Option(help: "The subscribers of a topic, by its name or id.")
    var topic: String?
    @Option(
        name: .customLong("attribute"),
        help: ArgumentHelp(
            "An attribute for the filters of a topic's subscribers: text, or JSON with key:=json; repeatable.",
            valueName: "key=text"
        )
    )
    var attributes: [String] = []
    @Flag(help: "Everybody that the app can reach.")
    var all = false
    @OptionGroup var content: ContentOptions
    @OptionGroup(title: "Delivery") var delivery: SendOptions
    @Flag(help: "Do not ask whether it really goes to everybody.")
    var yes = false
    @Flag(help: "Say how many people and devices it would go to now, and send nothing.")
    var estimate = false
    @Flag(help: "Wait until every delivery has ended, and show the results.")
    var wait = false
    @Option(help: "How many seconds to wait at most.")
    var timeout = 600
    @Option(help: "The server's data directory, whose admin.key is used when no key is given (MARTLET_DATA).")
    var dataDir: String?
    @OptionGroup var connection: AccessOptions

    func validate() throws {
        if estimate, wait || batch != nil {
            throw ValidationError("--estimate sends nothing: leave --wait and --batch out.")
        }
        guard batch != nil else {
            if idempotencyPrefix != nil { throw ValidationError("--idempotency-prefix is for --batch.") }
            return
        }
        guard file == nil else { throw ValidationError("Give a file or --batch, not both.") }
        guard !wait else { throw ValidationError("--wait is for one notification, not for --batch.") }
        guard delivery.idempotencyKey == nil else {
            throw ValidationError("One --idempotency-key cannot be for many: give --idempotency-prefix.")
        }
    }

    func run() async throws {
        let client = try await connection.client(data: dataDir)
        if let batch { return try await send(batch: batch, client) }
        var request =
            try file.map { try SendRequest(json: InputFile.data($0), from: InputFile.name($0)) }
            ?? SendRequest()
        let target = request.app
        try apply(to: &request)
        if app == nil, let target, request.members["overrides"] != nil {
            request.set("app", .string(try await AppLookup(client: client).app(named: target)))
        }
        guard request.hasAudience else {
            throw CommandFailure(
                "The audience is missing.",
                hint: "Give --user, --endpoint, --token, --topic or --all."
            )
        }
        if estimate { return try await show(estimateOf: request, client) }
        if request.isForAll { try await confirm(client, app: request.app) }
        let headers = delivery.idempotencyKey.map { [(HeaderName.idempotencyKey, $0)] } ?? []
        let accepted: Item<NotificationAccepted> = try await client.call(
            .post,
            "notifications",
            request.document,
            headers: headers
        )
        guard wait else {
            return try connection.output.say(
                "Accepted: \(accepted.data.id). Its results: martlet notifications deliveries \(accepted.data.id)",
                data: accepted.data
            )
        }
        if connection.json {
            try WaitNotice(accepted: accepted.data).note()
        } else {
            connection.output.lines(["Accepted: \(accepted.data.id)."])
        }
        let waiting = SendWait(client: client, id: accepted.data.id, limit: .seconds(timeout), isJSON: connection.json)
        try await show(try await waiting.finished(), client: client)
    }

    /// Lays what the flags say over a request.
    private func apply(to request: inout SendRequest) throws {
        request.set("app", app.map { .string($0) })
        try content.apply(to: &request)
        try delivery.apply(to: &request)
        if let audience = try audience() { try request.set(audience) }
        for attribute in attributes {
            let (name, value) = try NamedValue.value(attribute, flag: "--attribute")
            request.add(attribute: name, value)
        }
    }

    private func send(batch path: String, _ client: APIClient) async throws {
        // What is wrong with the flags is no line's fault.
        var flags = SendRequest()
        try apply(to: &flags)
        if flags.isForAll { try await confirm(client, app: flags.app) }
        let isConfirmed = yes || flags.isForAll
        var sending = BatchSend(
            client: client,
            output: connection.output,
            idempotencyPrefix: idempotencyPrefix
        ) { request in
            try apply(to: &request)
            guard isConfirmed || !request.isForAll else {
                throw CommandFailure("The line goes to everybody, and --yes is not given.")
            }
        }
        let report = try await sending.send(path)
        if connection.json {
            try connection.output.jsonLine(Item(report))
        } else {
            connection.output.lines(["\(report.summary)."])
        }
        if report.refused > 0 { throw ExitCode(1) }
    }

    /// Asks whether it really goes to everybody.
    private func confirm(_ client: APIClient, app: String?) async throws {
        guard !yes else { return }
        // Nobody is counted where nobody can be asked.
        let people = Terminal.isInteractive ? try await PeopleCount(client: client, app: app).words : "everybody"
        try Terminal.confirm("Send it to \(people)?", isAnswered: yes, orElse: "Nothing was sent.")
    }

    private func audience() throws -> AudienceRequest? {
        if platform != nil, tokens.isEmpty { throw CommandFailure("--platform is for --token.") }
        let kinds = [users.isEmpty, endpoints.isEmpty, tokens.isEmpty, topic == nil, !all].filter { !$0 }.count
        guard kinds > 0 else { return nil }
        guard kinds == 1 else {
            throw CommandFailure("Give only one of --user, --endpoint, --token, --topic and --all.")
        }
        if !users.isEmpty { return AudienceRequest(users: users) }
        if !tokens.isEmpty { return AudienceRequest(tokens: tokens, platform: platform) }
        if let topic { return AudienceRequest(topic: topic) }
        if all { return AudienceRequest(all: true) }
        return AudienceRequest(
            endpoints: try endpoints.map { text in
                guard let id = PublicID(text) else { throw CommandFailure("'\(text)' is not a device's id.") }
                return id
            }
        )
    }

    private func show(estimateOf request: SendRequest, _ client: APIClient) async throws {
        let found: Item<EstimateResponse> = try await client.call(.post, "notifications/estimate", request.document)
        guard !connection.json else { return try connection.output.json(found) }
        connection.output.lines(found.data.lines)
    }

    private func show(_ one: NotificationResponse, client: APIClient) async throws {
        let deliveries: List<DeliveryItem> = try await client.get("notifications/\(one.id)/deliveries")
        if connection.json {
            let left: List<SuppressionItem> = try await client.get("notifications/\(one.id)/suppressions")
            let result = SendResult(notification: one, deliveries: deliveries.data, suppressions: left.data)
            try connection.output.json(Item(result))
        } else {
            let failed = deliveries.data.filter { $0.state.isFailure }
            if !failed.isEmpty {
                connection.output.table(Table(failed, columns: NotificationsCommand.Deliveries.list.columns))
            }
            if failed.count < one.counts.failures {
                connection.output.lines(["…", "All who did not get it: martlet missed \(one.id)"])
            }
            var summary = NotificationsCommand.summary(one.counts)
            if one.counts.suppressed > 0 {
                let found: Item<ReasonsResponse> = try await client.get("notifications/\(one.id)/reasons")
                let why = found.data.reasons.filter { $0.state == .suppressed }.map { "\($0.count) \($0.reason)" }
                let words = "\(one.counts.suppressed) suppressed"
                summary = summary.replacing(words, with: "\(words) (\(why.joined(separator: ", ")))")
            }
            connection.output.lines(["\(one.id) is \(one.status.rawValue): \(summary)."])
        }
        if !one.counts.isSuccess { throw ExitCode(1) }
    }
}

extension EstimateResponse {
    /// The answer for people.
    fileprivate var lines: [String] {
        let about = isExact ? "" : "about "
        let first = "It would go to \(about)\(people) people on \(about)\(devices) devices. Nothing was sent."
        return [first] + Table.pairs(keptOut.map { ("\($0.people) not", $0.detail) })
    }
}

/// What `send --wait --json` prints.
struct SendResult: Codable, Sendable {
    var notification: NotificationResponse
    var deliveries: [DeliveryItem]
    var suppressions: [SuppressionItem]
}
