import MartletCore
import MartletStore
import MartletWire

/// Forgetting a person: once, for good, and only for who typed their id.
extension ConsoleService {
    var erasureRoutes: [ConsoleRoute] {
        [
            .get("/people/{app}/{user}/erase", .configure) { call in
                .page(try await erasurePage(call, person(of: call)))
            },
            .post("/people/{app}/{user}/erase", .configure, erase),
        ]
    }

    private func erasurePage(_ call: ConsoleCall, _ person: Person, failure: Failure? = nil) async throws -> Page {
        let devices = try await store.endpoints(person.app.row, user: person.user, PageRequest())
        let (isMany, number) = (devices.next != nil, devices.items.count)
        let count =
            switch (isMany, number) {
            case (true, _): call.texts["people.erase_many_devices"]
            case (_, 0): call.texts["people.erase_no_devices"]
            case (_, _): call.texts.counted("people.erase_devices", number)
            }
        let values: PageValues = [
            "erase_address": "\(person.address)/erase", "erase_devices": count, "typed": call.form["user"] ?? "",
            "has_devices": number > 0, "keeps_devices": Self.keepsDevices(call),
        ]
        return personPage("person_erase", .erase, person, call, values, failure: failure)
    }

    private static func keepsDevices(_ call: ConsoleCall) -> Bool { call.form["keep_devices"] == "yes" }

    private func erase(_ call: ConsoleCall) async throws -> ConsoleReply {
        let person = try await person(of: call)
        do {
            guard User.isSame(call.form.raw("user"), person.user) else {
                throw Failure.invalid("user", call.texts["people.erase_differs"])
            }
            let keepsDevices = Self.keepsDevices(call)
            try await store.eraseUser(person.user, of: person.app.row, keepsDevices: keepsDevices)
        } catch let failure as Failure where failure.code != .internalError {
            return .page(try await erasurePage(call, person, failure: failure))
        }
        try await noteChange(
            "user.erase",
            of: person.fingerprint,
            by: call,
            app: person.app.row,
            after: ["devices": Self.keepsDevices(call) ? "kept" : "removed"]
        )
        return .redirect("/console/people?done=erased")
    }
}

extension Person {
    /// Who was erased, in the audit log: known again by who has the id, and naming nobody.
    fileprivate var fingerprint: AuditSubject {
        AuditSubject("user", "sha256:" + Secret.base64URL(Array(SecretHash(of: user).bytes.prefix(12))))
    }
}
