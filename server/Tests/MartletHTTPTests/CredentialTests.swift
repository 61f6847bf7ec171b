import Crypto
import CryptoExtras
import Foundation
import HTTPTypes
import MartletStore
import MartletTesting
import MartletWire
import Testing

@testable import MartletCore
@testable import MartletHTTP

@Suite("Credentials over REST")
struct CredentialTests {
    static let path = "/api/v1/apps/com.example.app/credentials"

    static func key(_ pem: String) -> JSONValue {
        [
            "platform": "ios", "p8": .string(pem), "key_id": "ABCD123456", "team_id": "TEAM123456",
            "bundle_id": "com.example.app",
        ]
    }

    @Test("a key that is not P-256 is refused when it is stored, with what to do")
    func refusesOtherCurve() async throws {
        try await Harness.run { server in
            let before = try await server.contents()
            let body = Self.key(P384.Signing.PrivateKey().pemRepresentation)
            let answer = try await server.call(.put, Self.path, key: server.admin, body)
            #expect(answer.status == 422)
            #expect(answer.code == "invalid_credential")
            #expect(answer.field == "p8")
            #expect(answer.json["error"]["hint"].stringValue?.isEmpty == false)
            #expect(try await server.contents() == before)
        }
    }

    @Test("a .p12 with a wrong password is refused when it is stored, with what to do")
    func refusesWrongPassword() async throws {
        let file = try await PKCS12.make(password: "right")
        try await Harness.run { server in
            let body: JSONValue = [
                "platform": "apns", "p12": .string(file.base64EncodedString()), "password": "wrong",
                "bundle_id": "com.example.app",
            ]
            let answer = try await server.call(.put, Self.path, key: server.admin, body)
            #expect(answer.status == 422)
            #expect(answer.code == "invalid_credential")
            #expect(answer.field == "p12")
            #expect(answer.json["error"]["hint"].stringValue?.contains("password") == true)
            #expect(!answer.text.contains("wrong"))
        }
    }

    /// A service account's file.
    static func account() throws -> JSONValue {
        [
            "type": "service_account", "project_id": "martlet-test", "private_key_id": "k1",
            "private_key": .string(try _RSA.Signing.PrivateKey(keySize: .bits2048).pkcs8PEMRepresentation),
            "client_email": "push@martlet-test.iam.gserviceaccount.com",
            "token_uri": "https://oauth2.googleapis.com/token",
        ]
    }

    static let broken: [(JSONValue, Int, String?)] = [
        (["platform": "apns", "bundle_id": "a"], 400, nil),
        (["platform": "apns", "bundle_id": "a", "p8": "x", "p12": "eA=="], 422, nil),
        (["platform": "apns", "bundle_id": "a", "p8": "x", "key_id": "ABCD123456"], 400, "team_id"),
        (["platform": "apns", "p8": "x", "key_id": "ABCD123456", "team_id": "TEAM123456"], 400, "bundle_id"),
        (["platform": "apns", "bundle_id": "a", "p12": "not base64"], 422, "p12"),
        (["platform": "apns", "bundle_id": "a", "certificate": "x"], 400, "private_key"),
        (["platform": "fcm", "bundle_id": "a", "p12": "eA=="], 422, "service_account"),
        (["platform": "fcm"], 400, "service_account"),
        (["platform": "fcm", "service_account": [:]], 422, "service_account.type"),
        (["platform": "fcm", "service_account": ["type": "authorized_user"]], 422, "service_account.type"),
        (["platform": "fcm", "service_account": [:], "environment": "sandbox"], 422, "environment"),
        (["platform": "apns", "service_account": [:]], 422, "service_account"),
        (["platform": "webpush"], 400, "subject"),
    ]

    @Test("an incomplete one is refused", arguments: broken)
    func refusesIncomplete(body: JSONValue, status: Int, field: String?) async throws {
        try await Harness.run { server in
            let before = try await server.contents()
            let answer = try await server.call(.put, Self.path, key: server.admin, body)
            #expect(answer.status == status, "\(answer.text)")
            #expect(answer.field == field, "\(answer.text)")
            #expect(try await server.contents() == before)
        }
    }

    @Test("without an environment it is stored for both, and its secret is never shown")
    func storesForBoth() async throws {
        try await Harness.run { server in
            let listed = try await server.call(.get, Self.path, key: server.admin)
            #expect(listed.items.map { $0["environment"].stringValue } == ["sandbox", "production"])
            #expect(listed.items.allSatisfy { $0["key_id"] == "ABCD123456" && $0["kind"] == "token" })
            #expect(!listed.text.contains("PRIVATE"))
            let gone = try await server.call(.delete, Self.path + "/ios/sandbox", key: server.admin)
            #expect(gone.status == 204)
            #expect(try await server.call(.delete, Self.path + "/ios/sandbox", key: server.admin).status == 404)
            #expect(try await server.call(.delete, Self.path + "/ios/beta", key: server.admin).status == 404)
            #expect(try await server.call(.get, Self.path, key: server.admin).items.count == 1)
        }
    }

    @Test("a service account is stored once, shown by its project and address, and its devices are registered")
    func serviceAccount() async throws {
        try await Harness.run { server in
            let body: JSONValue = ["platform": "fcm", "service_account": try Self.account()]
            let stored = try await server.call(.put, Self.path, key: server.admin, body)
            #expect(stored.status == 200, "\(stored.text)")
            #expect(stored.items.count == 1)
            #expect(stored.items[0]["environment"] == "production")
            #expect(stored.items[0]["kind"] == "service_account")
            #expect(stored.items[0]["project_id"] == "martlet-test")
            #expect(stored.items[0]["client_email"] == "push@martlet-test.iam.gserviceaccount.com")
            #expect(stored.items[0]["bundle_id"] == .null)
            #expect(!stored.text.contains("PRIVATE"))
            let device: JSONValue = [
                "installation_id": "01890a5d-ac96-774b-bcce-b302099a8057", "platform": "fcm", "token": "abc:def",
                "environment": "sandbox",
            ]
            let registered = try await server.call(.post, "/api/v1/tokens", key: server.sdk, device)
            #expect(registered.status == 201, "\(registered.text)")
            let endpoint = try await server.store.endpoint(server.app.row, .token(.fcm, "abc:def"))
            #expect(endpoint?.environment == nil)
        }
    }

    @Test("without any credential a send says so")
    func needsCredential() async throws {
        try await Harness.run { server in
            for environment in ["sandbox", "production"] {
                _ = try await server.call(.delete, Self.path + "/apns/\(environment)", key: server.admin)
            }
            let body: JSONValue = ["audience": ["users": ["a"]], "title": "x"]
            let answer = try await server.call(.post, "/api/v1/notifications", key: server.send, body)
            #expect(answer.status == 422)
            #expect(answer.code == "missing_credential")
        }
    }
}

/// A `.p12` file as OpenSSL makes it.
enum PKCS12 {
    static func make(password: String) async throws -> Data {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let script = """
            openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj "/UID=com.example.app/CN=Apple Push Services" \
            -keyout key.pem -out cert.pem 2>/dev/null
            openssl pkcs12 -export -inkey key.pem -in cert.pem -passout pass:\(password) -out file.p12
            """
        let result = try ProgramProcess.run(["-ec", script], executable: "/bin/sh", folder: folder.path)
        try #require(result.status == 0)
        return try Data(contentsOf: folder.appending(path: "file.p12"))
    }
}
