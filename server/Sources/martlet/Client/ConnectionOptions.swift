import ArgumentParser
import Foundation

/// Which server a command talks to, with which key, and how it prints.
struct ConnectionOptions: ParsableArguments {
    @OptionGroup var access: AccessOptions

    @Option(help: "The server's data directory, whose admin.key is used when no key is given (MARTLET_DATA).")
    var data: String?

    /// Whether programs read the result.
    var json: Bool { access.json }
    /// How results are printed.
    var output: Output { access.output }

    /// The settings, over which the flags stand.
    func settings() async throws -> Settings { try await access.settings(data: data) }

    /// A client of the server.
    func client() async throws -> APIClient { try await access.client(data: data) }
}

/// What all commands that talk to a server have.
struct AccessOptions: ParsableArguments {
    @Option(help: "The server's address (MARTLET_SERVER).")
    var server: String?

    @Option(help: ArgumentHelp("The API key (MARTLET_KEY).", discussion: "Other users of the machine can see flags."))
    var key: String?

    @Option(help: "A YAML file with settings (MARTLET_CONFIG).")
    var config: String?

    @Flag(help: "Print JSON for programs.")
    var json = false

    @Flag(help: "Print tables as wide as they are, with whole ids; otherwise they fit the terminal.")
    var wide = false

    /// Where `serve` listens when it is told nothing.
    static let defaultServer = "http://127.0.0.1:8080"

    /// How results are printed.
    var output: Output { Output(isJSON: json, isWide: wide) }

    /// The settings, over which the flags stand.
    func settings(data: String?) async throws -> Settings {
        try await Settings(flags: ["server": server, "key": key, "data": data], file: config)
    }

    /// A client of the server.
    func client(data: String?) async throws -> APIClient {
        let settings = try await settings(data: data)
        let address = settings.string("server") ?? Self.defaultServer
        if let key = settings.string("key") { return try APIClient(server: address, key: key) }
        if let data = settings.string("data") {
            let path = DataFolder(path: data).adminKey
            guard let key = try DataFolder.read(path) else {
                throw CommandFailure(
                    "There is no key in \(path).",
                    hint: "Did the server start with this data directory?"
                )
            }
            return try APIClient(server: address, key: key)
        }
        // The key of ./data is only for a server on this machine: it must not leave it unasked.
        let isHere = ["127.0.0.1", "localhost", "[::1]", "::1"].contains(URL(string: address)?.host ?? "")
        let key = isHere ? try? DataFolder.read(DataFolder(path: ServeSettings.defaultData).adminKey) : nil
        return try APIClient(server: address, key: key)
    }
}
