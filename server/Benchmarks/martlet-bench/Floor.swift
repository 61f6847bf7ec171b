import CoreFoundation
import Foundation

/// What `h2load` (nghttp2's own load generator, in C) spends on the same requests to the same server: the floor.
enum Floor {
    /// Whom it asks.
    struct Peer {
        var port: Int
        /// Header fields of each request.
        var headers: [String] = []
        /// The class of every answer's status, as `h2load` prints it: with other answers nothing has been measured.
        var answers = "4xx"
        /// The file with the body of each request.
        var body: URL
    }

    /// Runs it once.
    ///
    /// - Returns: CPU microseconds a request (user and system), and requests a second.
    static func measure(_ peer: Peer, streams: Int, requests: Int) throws -> Figure {
        let before = CPUTime.ofChildren
        let start = ContinuousClock.now
        let said = try Tool.output(
            "/usr/bin/taskset",
            ["-c", "0", "h2load", "-c", "1", "-m", "\(streams)", "-n", "\(requests)", "-d", peer.body.path]
                + peer.headers.flatMap { ["-H", $0] }
                + ["https://127.0.0.1:\(peer.port)/3/device/\(String(repeating: "ab", count: 32))"]
        )
        let wall = ContinuousClock.now - start
        // One that grants a new connection a single stream, as APNs does, refuses what h2load opened before it knew.
        guard requests - answers(of: peer.answers, in: said) < streams else {
            let codes = said.split(separator: "\n").first { $0.hasPrefix("status codes") } ?? "no status codes"
            throw BenchmarkError("h2load was not answered \(peer.answers) throughout: \(codes)")
        }
        return Figure(cpu: CPUTime.ofChildren - before, wall: wall, requests: requests)
    }

    /// How many answers of a class there were, from `status codes: 99901 2xx, 0 3xx, 0 4xx, 0 5xx`.
    private static func answers(of kind: String, in said: String) -> Int {
        let words = said.split { $0 == " " || $0 == "," || $0 == "\n" }
        guard let place = words.firstIndex(where: { $0 == kind }), place > 0 else { return 0 }
        return Int(words[place - 1]) ?? 0
    }
}

/// What a run of requests cost.
struct Figure {
    /// CPU microseconds a request.
    var microseconds: Double
    /// Requests a second of wall time.
    var perSecond: Double

    init(cpu: Double, wall: Duration, requests: Int) {
        microseconds = cpu * 1_000_000 / Double(requests)
        perSecond = Double(requests) / (wall / .seconds(1))
    }
}

/// User and system time in seconds, from the operating system.
enum CPUTime {
    /// Of this process.
    static var ofSelf: Double { total(Int32(RUSAGE_SELF.rawValue)) }
    /// Of the children that have ended.
    static var ofChildren: Double { total(RUSAGE_CHILDREN.rawValue) }

    private static func total(_ who: Int32) -> Double {
        var usage = rusage()
        getrusage(who, &usage)
        return seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }

    private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1_000_000 }
}

/// Why a benchmark could not be run.
struct BenchmarkError: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) { self.description = description }
}
