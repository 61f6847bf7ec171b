// Which of the three the C library's structures belong to depends on the order in which the compiler met their headers.
import CoreFoundation
import Foundation
import Glibc

/// What the operating system says of a process.
struct ProcessFigures {
    let id: pid_t

    /// User and system time of all its threads, in seconds, also of those that ended.
    func cpuSeconds() throws -> Double {
        var clock = clockid_t()
        var time = timespec()
        guard clock_getcpuclockid(id, &clock) == 0, clock_gettime(clock, &time) == 0 else {
            throw BenchmarkError("no figures of process \(id)")
        }
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// That and the same of its children, also of those that ended, in seconds.
    func cpuSecondsWithChildren() throws -> Double {
        let children = try String(contentsOfFile: "/proc/\(id)/task/\(id)/children", encoding: .utf8)
        // One that ends meanwhile is counted with those that ended.
        let living = children.split(separator: " ").compactMap { pid_t($0) }.map {
            (try? ProcessFigures(id: $0).cpuSeconds()) ?? 0
        }
        return try living.reduce(cpuSeconds(), +) + secondsOfEndedChildren()
    }

    private func secondsOfEndedChildren() throws -> Double {
        let text = try String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8)
        // Behind the name, which may have spaces: the third field and those that follow, of which 16 and 17 are meant.
        let fields = text.split(separator: ")").last?.split(separator: " ").map { Double($0) ?? 0 } ?? []
        guard fields.count > 14 else { throw BenchmarkError("no figures of process \(id)") }
        return (fields[13] + fields[14]) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// The most memory that it held at once since the start or ``forgetPeak()``, in MB of 1,000,000 bytes.
    func peakMegabytes() throws -> Double {
        let text = try String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8)
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
            let kilobytes = line.split(separator: " ").dropFirst().first.flatMap({ Double($0) })
        else { throw BenchmarkError("no figures of process \(id)") }
        return kilobytes * 1024 / 1_000_000
    }

    /// Lets the peak begin again from what it holds now.
    func forgetPeak() throws {
        try Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/\(id)/clear_refs"))
    }

    /// Lets it run on some cores only, with all of its threads; `0` is the first one, `0-1` are two.
    func pin(toCores cores: String) throws {
        try Tool.run("/usr/bin/taskset", ["-acp", cores, "\(id)"])
    }
}

/// Commands that are run to their end.
enum Tool {
    /// Runs one without its output; throws when it fails.
    static func run(_ path: String, _ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw BenchmarkError("\(path) failed") }
    }

    /// Runs one; what it says on standard output. Throws when it fails.
    static func output(_ path: String, _ arguments: [String]) throws -> String {
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw BenchmarkError("\(path) failed") }
        return said
    }
}
