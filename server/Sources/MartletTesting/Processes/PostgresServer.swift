import Foundation

/// A PostgreSQL server on which tests make databases.
public struct PostgresServer: Sendable, CustomStringConvertible {
    /// What could not be made or run.
    public struct Failed: Error, CustomStringConvertible {
        /// The command, and what it wrote.
        public let description: String
    }

    /// The address of a database that is there, in which the others are made.
    let address: String

    /// The servers that `MARTLET_TEST_DATABASES` names, by addresses of databases with commas between them.
    public static let named = (ProcessInfo.processInfo.environment["MARTLET_TEST_DATABASES"] ?? "")
        .split(separator: ",")
        .map { PostgresServer(address: $0.trimmingCharacters(in: .whitespaces)) }

    /// What the tests run on: the servers that are named, otherwise one of this process's own.
    public static let all = Result { named.isEmpty ? [try PostgresCluster.shared.get().server] : named }

    /// Where it is, without who asks, whose password may stand there.
    public var description: String {
        let host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        return host.isEmpty ? "PostgreSQL on a socket" : "PostgreSQL at \(host)"
    }

    /// Makes a database and says how it is addressed.
    ///
    /// - Parameter template: the address of a database that it is a copy of, to which nobody is connected.
    public func makeDatabase(copying template: String? = nil) throws -> String {
        let made = place(of: "martlet_" + UUID().uuidString.replacing("-", with: "").lowercased())
        let copied = template.map { " TEMPLATE " + Self.name(of: $0) } ?? ""
        try Self.run("CREATE DATABASE \(Self.name(of: made))\(copied)", in: address)
        return made
    }

    /// Makes a database that keeps texts in another encoding, and says how it is addressed.
    public func makeDatabase(in encoding: String) throws -> String {
        let made = place(of: "martlet_" + UUID().uuidString.replacing("-", with: "").lowercased())
        let options = "ENCODING '\(encoding)' LOCALE 'C' TEMPLATE template0"
        try Self.run("CREATE DATABASE \(Self.name(of: made)) \(options)", in: address)
        return made
    }

    /// Deletes a database that an address names, whoever is connected to it.
    public func drop(_ address: String) throws {
        try Self.run("DROP DATABASE \(Self.name(of: address)) WITH (FORCE)", in: self.address)
    }

    /// Runs SQL in the database that an address names.
    ///
    /// - Returns: what `psql` writes, rows as lines and columns between bars.
    @discardableResult
    public static func run(_ sql: String, in address: String, within seconds: Double = 120) throws -> String {
        try run(
            try PostgresCluster.program("psql"),
            ["-X", "-A", "-t", "-q", "-v", "ON_ERROR_STOP=1", address, "-c", sql],
            within: seconds
        )
    }

    /// Runs a command; what it writes. A failure names the command's last argument only: others may hold a password.
    @discardableResult
    static func run(_ path: String, _ arguments: [String], within seconds: Double = 120) throws -> String {
        let result = try ProgramProcess.run(arguments, executable: path, within: seconds)
        guard result.status == 0 else {
            let said = result.standardError + result.standardOutput
            throw Failed(description: "\(path) \(arguments.last ?? ""): \(said)")
        }
        return result.standardOutput
    }

    /// The address of a database of this server: the same but for the name, with whoever asks and all options.
    private func place(of database: String) -> String {
        let options = address.firstIndex(of: "?").map { String(address[$0...]) } ?? ""
        return "postgres://\(authority)/\(database)\(options)"
    }

    /// Who asks where: what stands between the two slashes and the next.
    private var authority: Substring {
        let fields = (address.split(separator: "?").first ?? "").split(separator: "/", omittingEmptySubsequences: false)
        return fields.dropFirst(2).first ?? ""
    }

    private static func name(of address: String) -> String {
        String(address.split(separator: "?")[0].split(separator: "/").last ?? "")
    }
}
