import Foundation
import MartletTesting

/// What h2load measured of a server, over connections of HTTP/1.1.
struct Load {
    /// How many connections, unless another number is said.
    static let connections = 64
    /// Requests a second.
    var perSecond: Double
    /// How long each took, in microseconds.
    var durations: [Double]
    /// The median of their durations, in milliseconds.
    var p50: Double
    /// The 99th percentile of their durations, in milliseconds.
    var p99: Double

    /// Loads a path with the same request again and again.
    ///
    /// - Throws: `BenchmarkError` when not every request succeeds.
    init(
        _ server: ServerUnderTest,
        _ path: String,
        requests: Int,
        connections: Int = connections,
        _ arguments: [String] = []
    ) throws {
        try self.init(
            server.address + path,
            in: server.folder,
            requests: requests,
            connections: connections,
            arguments
        )
    }

    /// Loads an address.
    init(
        _ address: String,
        in folder: TemporaryFolder,
        requests: Int,
        connections: Int = connections,
        _ arguments: [String] = [],
        log name: String = "h2load.tsv"
    ) throws {
        let log = folder.file(name)
        try? FileManager.default.removeItem(atPath: log)
        let command = ["-c", "1", "h2load", "--h1", "-c", "\(connections)", "-n", "\(requests)", "--log-file", log]
        let start = ContinuousClock.now
        try Tool.run("/usr/bin/taskset", command + arguments + [address])
        let wall = (ContinuousClock.now - start) / .seconds(1)
        // The start in microseconds, the status, the duration in microseconds.
        let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").map {
            $0.split(separator: "\t")
        }
        let good = lines.filter { $0.count == 3 && $0[1].hasPrefix("2") }.compactMap { Double($0[2]) }
        guard good.count == requests else { throw BenchmarkError("\(good.count) of \(requests) requests succeeded") }
        self.init(durations: good, perSecond: Double(requests) / wall)
    }

    /// - Parameter durations: of each request, in microseconds.
    init(durations: [Double], perSecond: Double) {
        self.durations = durations
        self.perSecond = perSecond
        p50 = durations.percentile(0.5) / 1000
        p99 = durations.percentile(0.99) / 1000
    }
}
