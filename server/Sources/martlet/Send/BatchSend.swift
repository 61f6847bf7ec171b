import Foundation
import MartletWire

/// Sends the notifications of a file, one on each line, many in a request.
struct BatchSend {
    let client: APIClient
    let output: Output
    /// What a line's idempotency key begins with, where the line has none of its own; its number follows.
    let idempotencyPrefix: String?
    /// Lays what the flags say over a line's request.
    let change: (inout SendRequest) throws -> Void

    private let progress = ProgressLine()
    private var waiting: [(line: Int, document: JSONValue)] = []
    private var waitingBytes = 0
    private var report = BatchReport()

    /// How many bytes of notifications go into one request. Ours: the server takes 1 MiB where nothing else is set.
    private static let byteLimit = 900_000
    /// The longest line: what the server takes in one request.
    private static let lineLimit = 1 << 20

    init(
        client: APIClient,
        output: Output,
        idempotencyPrefix: String?,
        change: @escaping (inout SendRequest) throws -> Void
    ) {
        self.client = client
        self.output = output
        self.idempotencyPrefix = idempotencyPrefix
        self.change = change
    }

    /// Sends all of a file, and says of each line that is refused why.
    ///
    /// - Throws: `CommandFailure` when it cannot go on; its hint says how far it came.
    mutating func send(_ path: String) async throws -> BatchReport {
        defer { progress.clear() }
        var lines = try FileLines(path, limit: Self.lineLimit)
        while let line = try lines.next() {
            guard !line.isTooLong else {
                throw CommandFailure(
                    "Line \(line.number) has more than 1 MiB.",
                    hint: "Write one notification on a line."
                )
            }
            guard !line.bytes.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) else { continue }
            try await add(Data(line.bytes), number: line.number)
            progress.show(done: lines.done, total: lines.size, report.summary)
        }
        try await flush()
        guard report.accepted + report.refused > 0 else {
            throw CommandFailure("There is no notification in \(path).", hint: "Write one on each line.")
        }
        return report
    }

    private mutating func add(_ line: Data, number: Int) async throws {
        let document: JSONValue
        let size: Int
        do {
            document = try read(line, number: number)
            size = try document.json().count
        } catch let failure as CommandFailure {
            var detail = failure.detail
            detail.code = .malformedRequest
            return try tell(NotificationReceipt(error: detail), of: number)
        }
        if waiting.count == NotificationBatchRequest.limit || waitingBytes + size > Self.byteLimit { try await flush() }
        waiting.append((number, document))
        waitingBytes += size
    }

    private func read(_ line: Data, number: Int) throws -> JSONValue {
        var request = try SendRequest(json: line, from: "The line")
        try change(&request)
        let field = NotificationEntry.CodingKeys.idempotencyKey.rawValue
        if let idempotencyPrefix, request.members[field] == nil {
            request.set(field, .string("\(idempotencyPrefix)-\(number)"))
        }
        return request.document
    }

    /// Sends what waits in one request.
    private mutating func flush() async throws {
        guard let first = waiting.first?.line else { return }
        let body: JSONValue = ["notifications": .array(waiting.map(\.document))]
        let answer: Item<NotificationBatchResponse>
        do { answer = try await client.call(.post, "notifications/batch", body) } catch let failure as CommandFailure {
            throw stopped(failure, before: first)
        }
        for (index, (entry, receipt)) in zip(waiting, answer.data.receipts).enumerated() {
            try tell(receipt.without("notifications[\(index)]"), of: entry.line)
        }
        waiting = []
        waitingBytes = 0
    }

    private func stopped(_ failure: CommandFailure, before line: Int) -> CommandFailure {
        var failure = failure
        let next =
            idempotencyPrefix == nil
            ? "Go on with line \(line)." : "Run the same command again: no line that was accepted is sent twice."
        let hints = [failure.detail.hint, "Before line \(line): \(report.summary).", next]
        failure.detail.hint = hints.compactMap(\.self).joined(separator: " ")
        return failure
    }

    /// Counts a line's result, and prints it: for programs each, for people those that were refused.
    private mutating func tell(_ receipt: NotificationReceipt, of line: Int) throws {
        var receipt = receipt
        receipt.error = receipt.error?.inCommands
        report.count(receipt)
        if output.isJSON { return try output.jsonLine(BatchLine(line: line, receipt: receipt)) }
        guard let error = receipt.error else { return }
        progress.clear()
        let field = error.field.map { " field: \($0)" } ?? ""
        output.lines([TextWidth.printable("line \(line): \(error.message) [\(error.code.rawValue)]\(field)")])
    }
}

/// How many of a file's notifications were accepted and refused.
struct BatchReport: Codable, Sendable {
    /// Those that are durable.
    var accepted = 0
    /// Those of them that had been accepted before.
    var replayed = 0
    /// Those of which nothing was written.
    var refused = 0

    mutating func count(_ receipt: NotificationReceipt) {
        if receipt.error != nil { refused += 1 } else { accepted += 1 }
        if receipt.isReplayed == true { replayed += 1 }
    }

    /// The counts in words.
    var summary: String {
        let before = replayed > 0 ? " (\(replayed) of them before)" : ""
        return "\(accepted) accepted\(before), \(refused) refused"
    }
}

/// What `send --batch --json` prints of each line.
private struct BatchLine: Encodable {
    let line: Int
    let receipt: NotificationReceipt

    private enum CodingKeys: CodingKey { case line }

    func encode(to encoder: any Encoder) throws {
        try receipt.encode(to: encoder)
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(line, forKey: .line)
    }
}

extension NotificationReceipt {
    /// The same, with its field's path from the notification instead of from the request.
    fileprivate func without(_ path: String) -> NotificationReceipt {
        guard let field = error?.field, field.hasPrefix(path) else { return self }
        var receipt = self
        receipt.error?.field = field == path ? nil : String(field.dropFirst(path.count + 1))
        return receipt
    }
}
