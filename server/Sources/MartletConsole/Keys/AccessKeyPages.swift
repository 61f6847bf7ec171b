import Foundation
import MartletCore
import MartletPipeline
import MartletStore
import MartletWire

/// The keys of the SNS interface.
extension ConsoleService {
    var accessKeyRoutes: [ConsoleRoute] {
        [
            .get("/access-keys", .configure) { call in .page(try await accessKeysPage(call)) },
            .post("/access-keys", .configure, makeAccessKey),
            .post("/access-keys/{id}/revoke", .configure, revokeAccessKey),
        ]
    }

    private func accessKeysPage(_ call: ConsoleCall, failure: Failure? = nil) async throws -> Page {
        let keys = try await store.keys(.access, call.listPage("access_keys")).compactMap(\.access)
        var values: PageValues = [
            "tab_access_keys": true, "keys": keys.items.map(shown), "has_keys": !keys.items.isEmpty,
            "pager": call.pager("access_keys", next: keys.next), "form_name": call.form["name"] ?? "",
            "form_rules": call.form.raw("allow"), "expiries": ExpiryChoice.values(call),
        ]
        values.show(failure, call.texts)
        return Page(
            template: "access_keys",
            part: .apps,
            title: call.texts["keys.access_title"],
            values: values,
            refused: failure
        )
    }

    private func shown(_ key: StoredAccessKey) -> PageValues {
        var values: PageValues = [
            "key_id": key.id, "key_name": key.name, "key_made": PageValues.time(key.createdAt),
            "key_live": key.revokedAt == nil, "key_revoked": key.revokedAt.map(PageValues.time).asList,
            "key_rules": key.permissions?.map(\.text) ?? [], "key_may_all": key.permissions == nil,
        ]
        values.merge(ExpiryChoice.values(used: key.lastUsedAt, expires: key.expiresAt, now: clock.now())) { $1 }
        return values
    }

    private func makeAccessKey(_ call: ConsoleCall) async throws -> ConsoleReply {
        do {
            let rules = Self.rules(call.form.raw("allow"))
            let made = try await store.makeAccessKey(
                name: call.form["name"] ?? "",
                rules: rules.isEmpty ? nil : rules,
                expiry: try ExpiryChoice(call).expiry(now: clock.now()),
                vault: credentials.vault
            )
            try await noteChange(
                "access_key.create",
                of: AuditSubject("access_key", made.key.id),
                by: call,
                after: made.key.audited
            )
            let secrets = [("keys.access_id", made.key.id), ("keys.access_secret", made.secret)]
            return .page(Self.secretPage(call, title: "keys.access_made", back: "/console/access-keys", secrets))
        } catch let failure as Failure where failure.code != .internalError {
            return .page(try await accessKeysPage(call, failure: failure))
        }
    }

    /// One rule a line.
    static func rules(_ text: String) -> [String] {
        text.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    private func revokeAccessKey(_ call: ConsoleCall) async throws -> ConsoleReply {
        let id = call.parameter("id")
        let key = try await store.key(.accessKey(id))?.access
        guard let key, try await store.revokeKey(.accessKey(id), evenIfLast: true) else {
            throw Failure.notFound("access key")
        }
        try await noteChange("access_key.revoke", of: AuditSubject("access_key", id), by: call, before: key.audited)
        return .redirect("/console/access-keys?done=key_revoked")
    }
}
