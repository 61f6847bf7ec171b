import MartletWire

/// Registers the devices of a table in requests of up to a thousand, one after the other, and reports each line that was
/// refused, in the order of the lines.
struct DeviceImport {
    /// How many lines came to which end.
    struct Counts: Encodable, Sendable {
        var registered = 0
        var updated = 0
        var refused = 0

        /// All of them.
        var total: Int { registered + updated + refused }
    }

    /// A line that was refused, for programs.
    private struct RefusedLine: Encodable {
        var line: Int
        var error: ErrorBody.Detail
    }

    /// Lines of one request, each with its device or why it was refused before.
    private struct Part {
        var lines: [(number: Int, device: Result<JSONValue, CommandFailure>)] = []
        var bytes = 0

        /// The most bytes of lines, so that their JSON stays below the 1 MiB that the server takes.
        static let byteLimit = 500_000

        var isFull: Bool { lines.count >= DeviceBatchRequest.limit || bytes >= Self.byteLimit }
    }

    let client: APIClient
    let output: Output
    /// The app of lines that name none.
    let app: String?
    private(set) var counts = Counts()
    private let progress = ProgressLine()

    init(client: APIClient, output: Output, app: String?) {
        (self.client, self.output, self.app) = (client, output, app)
    }

    /// Registers all devices.
    ///
    /// - Throws: `CommandFailure` when the first line names no columns, or when a request as a whole is refused.
    mutating func run(_ file: FileLines) async throws {
        defer { progress.clear() }
        var file = file
        guard let header = try file.next() else { throw CommandFailure("There is nothing in the file.") }
        let columns = try DeviceColumns(header)
        var part = Part()
        while let line = try file.next() {
            part.lines.append((line.number, Self.device(line, columns, app: app)))
            part.bytes += line.bytes.count
            guard part.isFull else { continue }
            try await register(part)
            part = Part()
            progress.show(done: file.done, total: file.size, "\(counts.total) lines, \(counts.refused) refused")
        }
        try await register(part)
    }

    private static func device(
        _ line: FileLines.Line,
        _ columns: DeviceColumns,
        app: String?
    ) -> Result<JSONValue, CommandFailure> {
        Result { () throws(CommandFailure) in try columns.device(line, app: app) }
    }

    private mutating func register(_ part: Part) async throws {
        let devices = part.lines.compactMap { try? $0.device.get() }
        var receipts = try await send(devices, from: part.lines.first?.number ?? 0).makeIterator()
        for line in part.lines {
            switch line.device {
            case .failure(let failure): try refuse(line.number, failure.detail)
            case .success: if let receipt = receipts.next() { try count(receipt, of: line.number) }
            }
        }
    }

    private func send(_ devices: [JSONValue], from line: Int) async throws -> [DeviceReceipt] {
        guard !devices.isEmpty else { return [] }
        do {
            let request = DeviceBatchRequest(devices: devices)
            let answer: Item<DeviceBatchResponse> = try await client.call(.post, "devices/batch", request)
            guard answer.data.receipts.count == devices.count else {
                throw CommandFailure("The server did not answer for every device.", status: .failed)
            }
            return answer.data.receipts
        } catch var failure as CommandFailure {
            failure.detail.message = "The import stopped at line \(line). \(failure.detail.message)"
            let hints = [failure.detail.hint, "Import the file again: what is registered already is updated."]
            failure.detail.hint = hints.compactMap(\.self).joined(separator: " ")
            throw failure
        }
    }

    private mutating func count(_ receipt: DeviceReceipt, of line: Int) throws {
        switch receipt.status {
        case .registered: counts.registered += 1
        case .updated: counts.updated += 1
        // An import removes none.
        case .removed: break
        case .refused: try refuse(line, receipt.error)
        }
    }

    private mutating func refuse(_ line: Int, _ error: ErrorBody.Detail?) throws {
        counts.refused += 1
        guard var error = error?.inCommands else { return }
        // `devices[3].token` is the column `token` to who looks at the file.
        let column = error.field?.replacing(#/^devices\[\d+\]\.?/#, with: "") ?? ""
        error.field = column.isEmpty ? nil : column
        progress.clear()
        if output.isJSON { return try output.jsonLine(RefusedLine(line: line, error: error)) }
        let field = column.isEmpty ? "" : "\(column): "
        let hint = error.hint.map { " \($0)" } ?? ""
        output.lines([TextWidth.printable("line \(line): \(field)\(error.message)\(hint) [\(error.code.rawValue)]")])
    }
}
