import Foundation
import MartletTesting

/// Calls a server byte by byte, as no HTTP client would.
enum RawCall {
    /// Sends bytes over a connection of their own.
    ///
    /// - Parameter isAborted: whether the connection is closed when all are sent, without a look at the answer.
    /// - Returns: what comes back until the server closes the connection.
    static func send(_ text: String, to server: ServerProcess, isAborted: Bool = false) async throws -> String {
        let port = server.address.split(separator: ":").last ?? ""
        let script = "exec 3<>/dev/tcp/127.0.0.1/\(port) && cat >&3" + (isAborted ? "" : " && cat <&3")
        let process = try ProgramProcess(["-c", script], executable: "/bin/bash", input: text)
        return try await process.result(within: 60).standardOutput
    }

    /// The status of the first answer; 0 where there is none.
    static func status(of answer: String) -> Int {
        answer.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    }

    /// Changes a database in which no server is.
    static func change(_ database: String, _ sql: String) async throws {
        let script = "import sqlite3,sys; d=sqlite3.connect(sys.argv[1]); d.executescript(sys.argv[2]); d.commit()"
        let process = try ProgramProcess(["-c", script, database, sql], executable: "/usr/bin/python3")
        let result = try await process.result()
        guard result.status == 0 else { throw ProgramProcess.Failure(description: result.standardError) }
    }
}
