import Foundation

/// What `h2load` (nghttp2's own load generator, in C) spends on the same requests to the same server: the floor.
enum Floor {
    /// Runs it once.
    ///
    /// - Returns: CPU microseconds a request (user and system), and requests a second.
    static func measure(port: Int, streams: Int, requests: Int, body: URL) throws -> Figure {
        let tool = Process()
        tool.executableURL = URL(fileURLWithPath: "/usr/bin/taskset")
        tool.arguments = [
            "-c", "0", "h2load", "-c", "1", "-m", "\(streams)", "-n", "\(requests)", "-d", body.path,
            "https://127.0.0.1:\(port)/3/device/\(String(repeating: "ab", count: 32))",
        ]
        tool.standardOutput = FileHandle.nullDevice
        tool.standardError = FileHandle.nullDevice
        let before = CPUTime.ofChildren
        let start = ContinuousClock.now
        try tool.run()
        tool.waitUntilExit()
        let wall = ContinuousClock.now - start
        guard tool.terminationStatus == 0 else { throw BenchmarkError("h2load failed: \(tool.terminationStatus)") }
        return Figure(cpu: CPUTime.ofChildren - before, wall: wall, requests: requests)
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
