import CLibPQ
import MartletStore

/// What PostgreSQL says about a statement or a connection.
struct PostgresError: Error, CustomStringConvertible {
    /// Five characters (PostgreSQL manual, appendix A); 08006 where the connection broke without one.
    var code: String
    /// The first line: it names tables and columns, never values.
    var message: String

    /// One line for the operator's log.
    var description: String { "PostgreSQL \(code): \(message)" }

    /// The message for the operator; without that of an address that libpq cannot read, which would quote from it.
    var shown: String {
        // Its words quote the host, which may be a part of a password that was not escaped.
        if message.contains("could not translate host name") { return "its host's name cannot be resolved." }
        if message.contains("unsupported startup parameter") {
            return "a pooler stands there: add pooler=transaction to the address."
        }
        let quotes = ["invalid percent", "invalid port", "invalid connection option"]
        return quotes.contains(where: message.contains) ? "its address is not a valid one." : message
    }

    init(code: String, message: String) {
        self.code = code
        self.message = message
    }

    /// What a failed result, or the connection without one, says.
    init(_ result: OpaquePointer?, on connection: OpaquePointer?) {
        let field = { (name: CChar) in PQresultErrorField(result, Int32(name)).map { String(cString: $0) } }
        code = field(CChar(UInt8(ascii: "C"))) ?? "08006"
        let said = field(CChar(UInt8(ascii: "M"))) ?? PQerrorMessage(connection).map { String(cString: $0) } ?? ""
        message = said.split(separator: "\n").first.map(String.init) ?? "the connection is lost"
    }

    /// Whether the server may be coming up: nobody listens there yet, its name is not known yet, or it says so. By libpq's words,
    /// which has no code for what a connection fails of.
    var mayBeStarting: Bool {
        let words = [
            "Connection refused", "No such file or directory", "could not translate host name", "timeout expired",
            "the database system is starting up", "server closed the connection unexpectedly",
        ]
        return code == "57P03" || code == "08006" && words.contains(where: message.contains)
    }

    /// Whether the same transaction may succeed when it is run again: it could not be serialized, was in a deadlock, or
    /// waited too long for a lock.
    var isTransient: Bool { ["40001", "40P01", "55P03"].contains(code) }

    /// Whether a script that looks before it writes may come to another end when it is run again: also where another
    /// process wrote the same unique value after the look.
    var mayBeRunAgain: Bool { isTransient || code == "23505" }

    /// Whether rows that were written together were not all of them: a ``SetForm`` that is checked divides by zero then.
    var isUnexpected: Bool { code == "22012" || code == "23505" }

    /// Whether the connection is of no more use: it broke or was idle for too long, the server is shutting down or full,
    /// or it became a replica, which has no serializable transactions either.
    var isDisconnection: Bool {
        code.hasPrefix("08") || code.hasPrefix("57P") || ["53300", "25006", "25P03", "40003", "0A000"].contains(code)
    }

    /// What it says about the database; `nil` when it is about what was to be written.
    var failure: CommitFailure? {
        switch code {
        case "53100": .full
        // A statement that took longer than its limit waits for somebody too.
        case _ where isTransient || code == "57014": .locked
        case _ where isDisconnection: .unreachable
        // Data and integrity.
        case _ where code.hasPrefix("22") || code.hasPrefix("23"): nil
        default: .other
        }
    }
}
