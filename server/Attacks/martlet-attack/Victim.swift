import Crypto
import Foundation
import MartletTesting
import MartletWire

/// The server that is attacked, with two customers: everything of the first one is what the other and strangers are
/// after.
struct Victim {
    private let server: ServerProcess
    /// The port of its interface.
    let port: UInt16
    /// The names of the things of the first customer, to put into paths.
    private(set) var names: [String: String] = ["app": Victim.app]
    /// What each kind of caller presents.
    private(set) var credentials: [Kind: String] = [:]
    /// An access key of the SNS interface.
    private(set) var accessKey = (id: "", secret: "")
    private let folder: TemporaryFolder

    /// The first customer's app.
    static let app = "com.example.first"
    /// The second customer's.
    static let other = "com.example.second"
    /// The user whose things are looked for.
    static let user = "alice-of-the-first"
    private static let issuer = "https://login.example.com/"
    private static let secret = "the identity provider's secret, 32 bytes or more"

    /// Starts a server with its defaults, and fills it.
    init() async throws {
        folder = try TemporaryFolder()
        server = try await ServerProcess(data: folder.file("data"), arguments: ["--log-level", "error"])
        guard let port = URLComponents(string: server.address)?.port else {
            throw AttackFailure("'\(server.address)' has no port")
        }
        self.port = UInt16(port)
        try await makeCustomers()
        try await makeThings()
        try await makeCredentials()
    }

    /// The server's process.
    var processID: pid_t { server.process.id }
    /// Its data directory.
    var data: String { server.data }

    /// Ends it as an operator does.
    func stop() async throws { _ = try await server.stop() }

    /// What an answer to somebody else must not hold: ids and names of the first customer's things. The app's users all
    /// choose among the same categories.
    func marks(for kind: Kind) -> [String] {
        let secrets =
            ["device", "notification", "subscription", "topic", "item"] + (kind == .otherUser ? [] : ["category"])
        return secrets.compactMap { names[$0] } + [Self.user]
    }

    /// Makes one call of plain HTTP from an address of the attacker's choice; status 0 when there was no answer in time.
    func call(
        _ method: String,
        _ path: String,
        bearer: String? = nil,
        fields: [String] = [],
        body: String? = nil,
        from address: String = "127.0.0.1",
        seconds: Double = 10
    ) throws -> RawAnswer {
        var lines = ["\(method) \(path) HTTP/1.1", "Host: 127.0.0.1:\(port)", "Connection: close"] + fields
        if let bearer { lines.append("Authorization: Bearer \(bearer)") }
        if let body { lines += ["Content-Type: application/json", "Content-Length: \(body.utf8.count)"] }
        let connection = try RawConnection(port: port, from: address)
        try connection.send(lines.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? ""))
        return RawAnswer(connection.read(seconds: seconds))
    }

    /// The path with the names of the first customer's things in place of what stands in braces.
    func path(_ pattern: String) -> String {
        names.reduce(pattern) { $0.replacingOccurrences(of: "{\($1.key)}", with: $1.value) }
    }

    /// A user token as the first customer's identity provider makes it, or as somebody who cannot.
    func token(
        of user: String,
        secret: String = Victim.secret,
        algorithm: String = "HS256",
        lifetime: Double = 600
    ) -> String {
        func part(_ bytes: some Sequence<UInt8>) -> String {
            Data(bytes).base64EncodedString().replacingOccurrences(of: "+", with: "-")
                .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
        }
        let end = Int(Date().timeIntervalSince1970 + lifetime)
        let claims = #"{"iss":"\#(Self.issuer)","aud":"\#(Self.app)","sub":"\#(user)","exp":\#(end)}"#
        let text = part(#"{"alg":"\#(algorithm)","typ":"JWT"}"#.utf8) + "." + part(claims.utf8)
        if algorithm == "none" { return text + "." }
        let code = HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: SymmetricKey(data: Data(secret.utf8)))
        return text + "." + part(code)
    }

    // MARK: Its contents

    private func makeCustomers() async throws {
        let identity =
            #"{"mode":"signed","issuer":"\#(Self.issuer)","audience":"\#(Self.app)","secret":"\#(Self.secret)"}"#
        try await server.call("POST", "/apps", #"{"name":"\#(Self.app)","identity":\#(identity)}"#)
        try await server.call("POST", "/apps", #"{"name":"\#(Self.other)"}"#)
        for app in [Self.app, Self.other] {
            let pem = P256.Signing.PrivateKey().pemRepresentation.replacingOccurrences(of: "\n", with: "\\n")
            try await server.call(
                "PUT",
                "/apps/\(app)/credentials",
                #"{"platform":"apns","p8":"\#(pem)","key_id":"ABCD123456","team_id":"TEAM123456","bundle_id":"\#(app)"}"#
            )
        }
    }

    private mutating func makeThings() async throws {
        let token = String(repeating: "a1", count: 32)
        let body = #"{"app":"\#(Self.app)","token":"\#(token)","user_id":"\#(Self.user)"}"#
        names["user"] = Self.user
        names["device"] = try await id(of: "/devices", body)
        names["endpoint"] = names["device"]
        names["topic"] = try await id(of: "/topics", #"{"app":"\#(Self.app)","name":"news-of-the-first"}"#)
        names["subscription"] = try await id(
            of: "/topics/\(names["topic"] ?? "")/subscriptions",
            #"{"user_id":"\#(Self.user)"}"#
        )
        // Later than the attack: nobody is sent anything.
        let later = Date(timeIntervalSinceNow: 86_400).formatted(.iso8601)
        names["notification"] = try await id(
            of: "/notifications",
            #"{"app":"\#(Self.app)","audience":{"users":["\#(Self.user)"]},"title":"Later","send_at":"\#(later)"}"#
        )
        names["category"] = "news-of-the-first"
        try await server.call(
            "POST",
            "/categories",
            #"{"app":"\#(Self.app)","key":"news-of-the-first","default":{"push":false}}"#
        )
        // Nobody is pushed to: it is an item in the inbox and no more.
        names["item"] = try await id(
            of: "/notifications",
            #"{"app":"\#(Self.app)","audience":{"users":["\#(Self.user)"]},"title":"Now","category":"news-of-the-first"}"#
        )
        // Nothing is under these ids: whoever may ask is told so.
        for name in ["letter", "work", "installation", "operator", "session"] {
            names[name] = "01890a5d-ac96-774b-bcce-b302099a8057"
        }
    }

    private mutating func makeCredentials() async throws {
        credentials[.operator] = try server.key()
        credentials[.garbage] = "mk_admin_" + String(repeating: "A", count: 43)
        for (app, kinds) in [
            (Self.app, [(Kind.client, "client"), (.send, "send"), (.admin, "admin"), (.revoked, "admin")]),
            (Self.other, [(.otherClient, "client"), (.otherSend, "send"), (.otherAdmin, "admin")]),
        ] {
            for (kind, scope) in kinds {
                let made = try await server.call("POST", "/keys", #"{"app":"\#(app)","scope":"\#(scope)","name":"x"}"#)
                credentials[kind] = made?.objectValue?["key"]?.stringValue
                let id = made?.objectValue?["id"]?.stringValue ?? ""
                if kind == .revoked { try await server.call("DELETE", "/keys/\(id)") }
            }
        }
        names["key"] = try await id(of: "/keys", #"{"app":"\#(Self.app)","scope":"send","name":"to be revoked"}"#)
        credentials[.user] = token(of: Self.user)
        credentials[.otherUser] = token(of: "mallory")
        credentials[.forgedUser] = token(of: Self.user, secret: "some other secret, of 32 bytes or more")
        credentials[.unsignedUser] = token(of: Self.user, algorithm: "none")
        credentials[.expiredUser] = token(of: Self.user, lifetime: -600)
        let made = try await server.call("POST", "/access-keys", #"{"name":"worker"}"#)?.objectValue
        accessKey = (made?["access_key_id"]?.stringValue ?? "", made?["secret_access_key"]?.stringValue ?? "")
        credentials[.accessKey] = accessKey.secret
        let spare = try await server.call("POST", "/access-keys", #"{"name":"to be revoked"}"#)?.objectValue
        names["access_key"] = spare?["access_key_id"]?.stringValue
    }

    private func id(of path: String, _ body: String) async throws -> String {
        guard let id = try await server.call("POST", path, body)?.objectValue?["id"]?.stringValue else {
            throw AttackFailure("POST \(path): no id in the answer")
        }
        return id
    }
}
