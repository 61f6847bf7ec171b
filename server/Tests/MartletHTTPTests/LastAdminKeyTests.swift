import HTTPTypes
import MartletWire
import Testing

@testable import MartletCore
@testable import MartletHTTP

@Suite("The last admin key")
struct LastAdminKeyTests {
    @Test("the last admin key of the whole server is revoked only by force")
    func lastAdminKey() async throws {
        try await Harness.run { server in
            let bound = try await Harness.key(.admin, app: server.app.row, in: server.store)
            let listed = try await server.call(.get, "/api/v1/keys", key: server.admin).items
            let first = try #require(listed.first { $0["scope"] == "admin" && $0["app_id"] == .null })
            let path = "/api/v1/keys/\(first["id"].stringValue ?? "")"
            let refused = try await server.call(.delete, path, key: server.admin)
            #expect(refused.status == 409 && refused.code == "conflict", "\(refused.text)")
            #expect(try await server.call(.delete, "\(path)?force=perhaps", key: server.admin).field == "force")
            #expect(try await server.call(.delete, "\(path)?force=false", key: server.admin).status == 409)
            #expect(try await server.call(.delete, path, key: bound).status == 404, "a bound key sees no other's")
            let spare = try await Harness.key(.admin, app: nil, in: server.store)
            #expect(try await server.call(.delete, path, key: server.admin).status == 204)
            let left = try await server.call(.get, "/api/v1/keys", key: spare).items
                .first { $0["scope"] == "admin" && $0["app_id"] == .null && $0["revoked_at"] == .null }
            let last = "/api/v1/keys/\(left?["id"].stringValue ?? "")"
            #expect(try await server.call(.delete, last, key: spare).status == 409)
            #expect(try await server.call(.delete, "\(last)?force=true", key: spare).status == 204)
        }
    }
}
