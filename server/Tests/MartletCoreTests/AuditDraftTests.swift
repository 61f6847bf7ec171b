import MartletWire
import Testing

@testable import MartletCore

@Suite struct AuditDraftTests {
    private static func draft(_ after: JSONValue) -> AuditDraft {
        AuditDraft("app.update", of: AuditSubject("app", "1"), by: .system, before: after, after: after)
    }

    @Test(
        "what has the name of a secret is not kept, at any depth; whether there is one is",
        arguments: [
            "password", "new_password", "clientSecret", "device_token", "private_key", "p8", "Authorization", "hash",
        ]
    )
    func secrets(name: String) {
        let given = JSONValue.object([
            "name": .string("app"), "keys": .array([.object([name: .string("hidden"), "kind": .integer(1)])]),
            name: .object(["value": .string("hidden")]), "has_\(name)": .bool(true), "old_\(name)": .null,
        ])
        let wanted = JSONValue.object([
            "name": .string("app"), "keys": .array([.object([name: .string("not shown"), "kind": .integer(1)])]),
            name: .string("not shown"), "has_\(name)": .bool(true), "old_\(name)": .null,
        ])
        let draft = Self.draft(given)
        #expect(draft.before == wanted)
        #expect(draft.after == wanted)
    }

    @Test("what is too long is not kept, nor what JSON cannot hold")
    func long() {
        let limit = AuditDraft.documentLimit
        let fits = JSONValue.string(String(repeating: "a", count: limit - 2))
        #expect(Self.draft(fits).after == fits)
        let note = JSONValue.object(["too_long": .bool(true)])
        #expect(Self.draft(.string(String(repeating: "a", count: limit - 1))).after == note)
        #expect(Self.draft(.number(.infinity)).after == note)
    }

    @Test("names and ids are bounded, and have nothing that a database refuses")
    func texts() {
        let actor = AuditActor(.key, id: "a\0b", name: String(repeating: "n", count: 1_000))
        #expect(actor.id == "ab")
        #expect(actor.name.count == AuditDraft.textLimit)
    }
}
