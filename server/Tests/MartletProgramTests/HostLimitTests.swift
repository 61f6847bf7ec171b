import Foundation
import MartletTesting
import Testing

/// What the machine does not give: space on the disk, open files, and files that only the owner reads.
@Suite struct HostLimitTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A command that is started by a shell which sets limits first.
    private func run(_ command: String, after limits: String) throws -> ProgramProcess {
        let script = "\(limits); exec '\(Program.path)' \(command) --data '\(folder.file("data"))'"
        return try ProgramProcess(["-c", script], executable: "/bin/bash")
    }

    @Test(
        "a first start or command that could write nothing leaves nothing, and the next start succeeds",
        arguments: ["serve --port 0", "keys create --admin", "operators invite ann --role admin"]
    )
    func fullDisk(command: String) async throws {
        // No file may have more than so many KiB; without the signal, writing fails as on a full disk.
        for size in [0, 16, 256] {
            let full = try await run(command, after: "trap '' XFSZ; ulimit -f \(size)").result(within: 60)
            #expect(full.status != 0, "\(size) KiB: \(full.standardError)")
            let server = try await ServerProcess(data: folder.file("data"))
            #expect(try await server.run("apps").status == 0, "\(size) KiB")
            #expect(try await server.stop().status == 0)
            try FileManager.default.removeItem(atPath: folder.file("data"))
        }
    }

    @Test("the doctor finds what PostgreSQL is set not to wait for, also where no server runs")
    func databaseSettings() async throws {
        let server = try PostgresCluster.shared.get().server
        let address = try server.makeDatabase()
        defer { try? server.drop(address) }
        let doctor = try await ProgramProcess(
            ["doctor", "--data", folder.path, "--server", "http://127.0.0.1:1"],
            environment: ["MARTLET_DATABASE": address]
        )
        .result(within: 60)
        #expect(doctor.status == 1)
        for name in ["fsync", "synchronous_commit", "full_page_writes"] {
            #expect(doctor.standardOutput.contains("\(name)=off"), "\(doctor.standardOutput)")
        }
    }

    @Test(
        "a key that others can read is warned of, at the start and by the doctor",
        arguments: ["admin", "encryption"]
    )
    func openKey(name: String) async throws {
        let first = try await ServerProcess(data: folder.file("data"))
        #expect(try await first.stop().status == 0)
        let file = folder.file("data") + "/\(name).key"
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
        let server = try await ServerProcess(data: folder.file("data"))
        let doctor = try await server.run("doctor", "--data", folder.file("data"))
        #expect(doctor.standardOutput.contains("Others can read \(file)"), "\(doctor.standardOutput)")
        let log = try await server.stop().standardError
        #expect(log.contains("others on this machine can read a key"), "\(log)")
        #expect(log.contains(file))
    }

    @Test("where there are fewer files than connections, the start says so and connections wait for files")
    func files() async throws {
        let server = try run("serve --port 0", after: "ulimit -n 100")
        let line = try await server.line(containing: "Martlet is listening on ")
        let port = UInt16(try #require(line.split(separator: ":").last.flatMap { UInt16($0) }))
        try await server.errorLine(containing: "there are fewer files than connections need")
        try await exhaust(server, port, asking: port)
    }

    @Test("connections to a simulator wait for files too", arguments: ["https://", "http://"])
    func simulatorFiles(scheme: String) async throws {
        let simulate = "'\(Program.path)' simulate --port 0 --control-port 0 --ca '\(folder.file("ca.pem"))'"
        let command = "ulimit -n 80; exec \(simulate)"
        let simulator = try ProgramProcess(["-c", command], executable: "/bin/bash")
        let line = try await simulator.line(containing: "A simulated APNs is listening on ")
        func port(_ scheme: String) throws -> UInt16 {
            let address = line.split(separator: " ").first { $0.hasPrefix(scheme) }
            return try #require(address?.split(separator: ":").last.flatMap { UInt16($0.filter(\.isNumber)) })
        }
        try await exhaust(simulator, try port(scheme), asking: try port("http://"))
    }

    /// Opens more connections than a process has files for: it waits at its ease, and goes on when they are closed.
    ///
    /// - Parameter other: a port that answers `/healthz`.
    private func exhaust(_ process: ProgramProcess, _ port: UInt16, asking other: UInt16) async throws {
        let held = try await blocking { try (0..<120).map { _ in Held(try RawConnection(port: port)) } }
        try await process.errorLine(containing: "new connections wait")
        // A turn of the loop costs some microseconds: at full speed this would be hundreds of milliseconds.
        let before = try Self.processorTime(of: process.id)
        try await blocking { try held[0].connection.rest(milliseconds: 1_500) }
        #expect(try Self.processorTime(of: process.id) - before < 20)
        for one in held { one.close() }
        let answer = try await blocking {
            let connection = try RawConnection(port: other)
            try connection.send("GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
            return RawAnswer(connection.read(seconds: 20))
        }
        #expect(answer.status == 200)
        process.send(signal: SIGTERM)
        #expect(try await process.result(within: 30).status == 0)
    }

    /// Hundredths of a second of processor time.
    private static func processorTime(of id: pid_t) throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8)
        let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
        // The fields behind the name begin with the state, which is the third.
        return fields.count > 12 ? (Int(fields[11]) ?? 0) + (Int(fields[12]) ?? 0) : 0
    }

    /// A connection that is closed when it is told to.
    private final class Held: @unchecked Sendable {  // used by one task
        private var one: RawConnection?

        init(_ connection: RawConnection) { one = connection }

        var connection: RawConnection { get throws { try #require(one) } }

        func close() { one = nil }
    }
}
