import Foundation
import MartletTesting

/// Answers that are asked for and never read: 300 connections, each with 1,600 requests at once; and event queries that
/// gather all that they can.
enum Memory {
    private static let connections = 300
    private static let request = Array("GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
    private static let requests = 1_600
    /// What the server may hold at most while it is attacked, in MB.
    private static let bound = 150.0

    static func run(_ victim: Victim, seconds: Double) throws -> Tally {
        var tally = Tally("unread answers")
        try askForMuch(victim, &tally)
        let memory = ServerMemory(id: victim.processID)
        // The first requests make what every later one uses.
        for _ in 0..<20 { _ = try victim.call("GET", "/openapi.json") }
        let before = try memory.megabytes("VmRSS")
        try memory.forgetPeak()
        let answered = try flood(victim, seconds: seconds)
        let peak = try memory.megabytes("VmHWM")
        // What the server has been asked for by then is still being answered.
        let answer = try victim.call("GET", "/healthz", seconds: 30)
        // The connections are closed by now; what they held is given back within moments.
        var after = try memory.megabytes("VmRSS")
        for _ in 0..<50 where after > before * 1.5 { after = try memory.megabytes("VmRSS"); usleep(100_000) }
        tally.attempt(heldOff: peak < bound, "\(Int(peak)) MB at the peak")
        tally.attempt(heldOff: after < before * 1.5, "\(Int(before)) MB before, \(Int(after)) MB afterwards")
        tally.attempt(heldOff: answer.status == 200, "/healthz answers \(answer.status) afterwards")
        tally.figure(
            "\(connections) connections, \(requests) unread GET /openapi.json each, \(Int(seconds)) s: "
                + "\(Int(before)) MB before, \(Int(peak)) MB at the peak, \(Int(after)) MB afterwards; "
                + "\(answered) connections were closed for it"
        )
        return tally
    }

    /// Event queries of which one alone would take as much memory, or disk, as there is.
    private static let queries = [
        ("json_group_array", "SELECT json_group_array(hex(zeroblob(20000))) FROM c"),
        ("json_group_object", "SELECT json_group_object(n, hex(zeroblob(20000))) FROM c"),
        ("group_concat", "SELECT group_concat(hex(zeroblob(20000))) FROM c"),
        ("a sort", "SELECT n FROM c ORDER BY hex(zeroblob(20000)) || ((n * 7919) % 1000003)"),
    ]

    private static func askForMuch(_ victim: Victim, _ tally: inout Tally) throws {
        let memory = ServerMemory(id: victim.processID)
        let rows = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 1000000)"
        for (what, query) in queries {
            try memory.forgetPeak()
            let answer = try victim.call(
                "POST",
                "/api/v1/events/query",
                bearer: victim.credentials[.admin],
                body: #"{"sql":"\#(rows) \#(query)"}"#,
                seconds: 30
            )
            let peak = try memory.megabytes("VmHWM")
            tally.attempt(heldOff: answer.status == 422 && peak < bound, "\(what): \(answer.status), \(Int(peak)) MB")
            tally.figure("an event query of a million long values in \(what): status \(answer.status), \(Int(peak)) MB")
        }
    }

    /// Keeps every connection as full of requests as the server lets it be; how many it has closed at the end.
    private static func flood(_ victim: Victim, seconds: Double) throws -> Int {
        let bytes = Array(repeatElement(request, count: requests).joined())
        var all = try (0..<connections).map { number in
            Sender(try RawConnection(port: victim.port, from: "127.0.1.\(number % 250 + 1)"), bytes: bytes)
        }
        let end = Date(timeIntervalSinceNow: seconds)
        var closed = 0
        while end.timeIntervalSinceNow > 0 {
            for index in all.indices where !all[index].step() {
                closed += 1
                // Whoever is closed comes back.
                all[index] = Sender(
                    try RawConnection(port: victim.port, from: "127.0.1.\(index % 250 + 1)"),
                    bytes: bytes
                )
            }
            usleep(10_000)
        }
        return closed
    }

    private struct Sender {
        private let connection: RawConnection
        private var rest: ArraySlice<UInt8>

        init(_ connection: RawConnection, bytes: [UInt8]) {
            self.connection = connection
            rest = bytes[...]
        }

        /// Writes what can be written; false when the connection is closed.
        mutating func step() -> Bool {
            guard !connection.hasEnded() else { return false }
            guard !rest.isEmpty else { return true }
            guard let count = connection.sendNow(rest) else { return false }
            rest = rest.dropFirst(count)
            return true
        }
    }
}

/// What the operating system says of the server's memory.
struct ServerMemory {
    let id: pid_t

    /// A figure of `/proc/PID/status`, in MB of 1,000,000 bytes.
    ///
    /// - Throws: `AttackFailure` when there is no such process any more.
    func megabytes(_ name: String) throws -> Double {
        let text = (try? String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8)) ?? ""
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix(name + ":") }),
            let kibibytes = line.split(separator: " ").dropFirst().first.flatMap({ Double($0) })
        else { throw AttackFailure("The server has ended.") }
        return kibibytes * 1024 / 1_000_000
    }

    /// Lets the peak begin again from what it holds now.
    func forgetPeak() throws { try Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/\(id)/clear_refs")) }
}
