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
            "custom_user_data", "service_account", "secret_access_key",
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

    @Test(
        "what people name themselves is no secret for its name",
        arguments: ["my-token-tag", "token_rotation", "hashtag"]
    )
    func names(name: String) {
        let given: JSONValue = [name: "shown", "tags": [name: "shown", "token": "shown"]]
        #expect(Self.draft(given).after == given)
    }

    @Test("of a document that is too long it is kept which values changed, and all that are short")
    func long() throws {
        let limit = AuditDraft.documentLimit
        let fits = JSONValue.string(String(repeating: "a", count: limit - 2))
        #expect(Self.draft(fits).after == fits)
        func document(_ policy: String, _ name: String) -> JSONValue {
            let list = (0..<3_000).map { JSONValue.string("\(policy)\($0)") }
            let attributes: JSONValue = [
                "FilterPolicy": .array(list), "Same": .string(String(repeating: "s", count: 300)),
            ]
            return ["name": .string(name), "attributes": attributes]
        }
        func draft(_ before: JSONValue, _ after: JSONValue) -> AuditDraft {
            AuditDraft("app.update", of: AuditSubject("app", "1"), by: .system, before: before, after: after)
        }
        let changed = draft(document("a", "old"), document("b", "new"))
        let (before, after) = (try #require(changed.before?.objectValue), try #require(changed.after?.objectValue))
        #expect(before["name"] == "old" && after["name"] == "new")
        let (old, new) = (before["attributes"]?.objectValue, after["attributes"]?.objectValue)
        #expect(old?["FilterPolicy"] != new?["FilterPolicy"] && old?["Same"] == new?["Same"])
        #expect(new?["FilterPolicy"]?.stringValue?.hasPrefix("too long: ") == true)
        let same = draft(document("a", "old"), document("a", "new"))
        #expect(same.before?.objectValue?["attributes"] == same.after?.objectValue?["attributes"])
        // What was short and is long now differs where it does, and nowhere else.
        let grown = draft(["name": "x", "note": .string(String(repeating: "n", count: 300))], document("a", "x"))
        #expect(grown.before?.objectValue?["name"] == grown.after?.objectValue?["name"])
        for value in [changed.before, changed.after, same.after, grown.after] {
            #expect(try #require(value).json().count <= limit)
        }
        let members = (0..<5_000).map { ("member\($0)", JSONValue.string("value")) }
        #expect(Self.draft(.object(Dictionary(members) { $1 })).after == ["too_long": true])
        #expect(Self.draft(.number(.infinity)).after == ["too_long": true])
    }

    @Test("names and ids are bounded, and have nothing that a database refuses")
    func texts() {
        let actor = AuditActor(.key, id: "a\0b", name: String(repeating: "n", count: 1_000))
        #expect(actor.id == "ab")
        #expect(actor.name.count == AuditDraft.textLimit)
    }
}
