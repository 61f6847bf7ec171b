import Foundation

/// Where the server keeps its rows.
enum DatabaseAddress: Sendable {
    /// A SQLite file, in the data directory.
    case file(String)
    /// A PostgreSQL database, in the form that libpq takes (PostgreSQL manual, section 34.1.1).
    case postgres(String)

    /// Reads the setting; without one it is the file in the data directory.
    ///
    /// - Throws: `CommandFailure` for what is no address of PostgreSQL.
    init(_ text: String?, data: DataFolder) throws {
        guard let text else {
            self = .file(data.database)
            return
        }
        guard ["postgres://", "postgresql://"].contains(where: text.hasPrefix) else {
            throw CommandFailure(
                "The setting database is the address of a PostgreSQL database.",
                hint:
                    "Such as postgres://martlet@localhost/martlet; without it SQLite keeps a file in the data directory."
            )
        }
        self = .postgres(text)
    }

    /// The address for people, without the password.
    var shown: String {
        switch self {
        case .file(let path): return path
        case .postgres(let address):
            // libpq also takes passwords that a URL writes otherwise: then nothing of it is shown.
            guard var parts = URLComponents(string: address), parts.fragment == nil,
                !address.contains("@") || parts.user != nil
            else { return "PostgreSQL" }
            parts.password = nil
            parts.query = nil
            return parts.string ?? "PostgreSQL"
        }
    }
}
