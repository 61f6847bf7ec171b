import MartletCore

extension ServerAddress {
    /// Google's own address (Google, "REST Resource: projects.messages").
    static let fcm = ServerAddress(host: "fcm.googleapis.com", port: 443)

    /// Where a credential's pushes go.
    ///
    /// - Throws: `Failure` when its `url` or the setting's is none.
    static func fcm(_ credential: Credential, _ settings: FCMSettings) throws(Failure) -> ServerAddress {
        guard let url = credential.url ?? settings.url else { return fcm }
        return try ServerAddress(url: url)
    }
}

/// Where access tokens are asked for: a service account's `token_uri`.
struct TokenEndpoint: Sendable, Hashable {
    /// Where Google gives access tokens (Google, "Using OAuth 2.0 for Server to Server Applications").
    static let googleURI = "https://oauth2.googleapis.com/token"

    /// The hosts that Google has written into the files of service accounts.
    static let googleHosts: Set = ["oauth2.googleapis.com", "accounts.google.com", "www.googleapis.com"]

    /// The text as it stands in the file: what the grant is addressed to.
    let uri: String
    let address: ServerAddress
    let path: String

    /// Whether it is Google's.
    var isGoogle: Bool { Self.googleHosts.contains(address.host) }

    /// Reads `https://host:port/path`.
    ///
    /// - Parameter hosts: those allowed beside Google's.
    /// - Throws: `Failure` naming `service_account.token_uri`.
    init(_ uri: String, allowing hosts: Set<String>) throws(Failure) {
        let parts = uri.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        guard uri.utf8.count <= 512, uri.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), parts.count >= 3,
            let address = try? ServerAddress(url: parts.prefix(3).joined(separator: "/"))
        else { throw .invalid(Self.field, "The token endpoint is not an address of the form https://host/path.") }
        self.uri = uri
        self.address = ServerAddress(host: address.host.lowercased(), port: address.port)
        path = "/" + (parts.count == 4 ? parts[3] : "")
        guard isGoogle || hosts.contains(self.address.host) else {
            throw .invalid(
                Self.field,
                "The token endpoint's host is not Google's.",
                hint:
                    "Use the file as Google made it, or have the operator name the host in the setting fcm.tokenHosts."
            )
        }
        guard !isGoogle || address.port == 443 else {
            throw .invalid(Self.field, "Google's token endpoint has no port of its own.")
        }
    }

    private static let field = "service_account.token_uri"
}
