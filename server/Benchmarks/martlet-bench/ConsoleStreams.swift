import Foundation
import MartletTesting
import MartletWire
import NIOHTTP1

/// What it costs a send that a thousand pages of the console show how far it has come.
struct ConsoleStreams {
    let provider: ServerUnderTest.Provider

    private static let devices = ConsoleFigures.devices
    private static let pages = 1_000
    /// As many as one operator may have open.
    private static let pagesOfOperator = 24
    private static let pairs = 3
    private static let goal = 1.05
    /// Until the send begins: in that time all pages are opened.
    private static let delay = 15.0

    func rows() async throws -> [Row] {
        let server = try await ServerUnderTest(endpoints: Self.devices, provider: provider)
        try await server.start(environment: [
            "MARTLET_CONNECTIONS": "\(Self.pages + 100)", "MARTLET_CONNECTIONS_PER_ADDRESS": "0",
        ])
        let readers = try await Self.readers(of: server)
        var pairs: [(without: Cost, with: Cost)] = []
        for _ in 0..<Self.pairs {
            let without = try await cost(server, [])
            pairs.append((without, try await cost(server, readers)))
        }
        try await server.stop()
        return [
            row("time", pairs.map { ($0.without.seconds, $0.with.seconds) }),
            row("CPU", pairs.map { ($0.without.cpu, $0.with.cpu) }),
        ]
    }

    /// What a send took.
    private struct Cost {
        var seconds: Double
        var cpu: Double
    }

    private func row(_ what: String, _ pairs: [(without: Double, with: Double)]) -> Row {
        Row(
            "Console, 1,000 pages of a send to \(Self.devices): its \(what)",
            ours: "\(pairs.map(\.with).median.text(2)) s",
            floor: "\(pairs.map(\.without).median.text(2)) s",
            ratio: pairs.map { $0.with / $0.without }.median,
            goal: Self.goal,
            note: "beside the same without a page; median of \(Self.pairs) pairs"
        )
    }

    private static func readers(of server: ServerUnderTest) async throws -> [ConsoleReader] {
        var readers: [ConsoleReader] = []
        for number in 0..<(pages + pagesOfOperator - 1) / pagesOfOperator {
            let request = #"{"name": "reader-\#(number)", "role": "viewer"}"#
            let made = try await server.call(.POST, "/api/v1/operators/invitations", request)
            guard let token = made["token"]?.stringValue else { throw BenchmarkError("no invitation") }
            readers.append(try ConsoleReader.invited(by: "\(server.address)/console/invitations/\(token)"))
        }
        return readers
    }

    /// Sends to all at a moment, before which the readers have opened its page.
    private func cost(_ server: ServerUnderTest, _ readers: [ConsoleReader]) async throws -> Cost {
        // Whole seconds, as the request says it.
        let begin = Date(timeIntervalSince1970: (Date().timeIntervalSince1970 + Self.delay).rounded(.up))
        let body = ServerUnderTest.body(to: #"{"all": true}"#, sendAt: begin.formatted(.iso8601))
        guard let id = try await server.call(.POST, "/api/v1/notifications", body)["id"]?.stringValue else {
            throw BenchmarkError("no id in the answer")
        }
        let streams = try (0..<(readers.isEmpty ? 0 : Self.pages)).map { number in
            try readers[number / Self.pagesOfOperator].stream(of: id)
        }
        guard begin.timeIntervalSinceNow > 0 else { throw BenchmarkError("the pages were not open in time") }
        try await Task.sleep(for: .seconds(begin.timeIntervalSinceNow))
        let cpu = try server.figures.cpuSeconds()
        let answered = try await server.untilDone(id, askingEvery: .milliseconds(10))
        let seconds = Date().timeIntervalSince(begin)
        let spent = try server.figures.cpuSeconds() - cpu
        // One more: the device to which the first push went.
        guard answered == Self.devices + 1 else { throw BenchmarkError("\(answered) deliveries were answered") }
        // The stream goes on for what phones report; the page has the stage in it.
        let end = #"data-stage="done true"#
        let told = streams.count { $0.read(until: end, seconds: 10).contains(end) }
        guard told == streams.count else { throw BenchmarkError("\(told) of \(streams.count) pages were told the end") }
        return Cost(seconds: seconds, cpu: spent)
    }
}
