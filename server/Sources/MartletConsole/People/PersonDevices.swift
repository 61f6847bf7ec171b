import MartletCore
import MartletPipeline
import MartletStore
import MartletWire

/// A person's devices: a test to one of them, on and off, away.
extension ConsoleService {
    var personDeviceRoutes: [ConsoleRoute] {
        [
            .get("/people/{app}/{user}/devices", .read) { call in .page(try await devicesPage(call)) },
            .post("/people/{app}/{user}/devices/{id}/test", .send, sendTest),
            .post("/people/{app}/{user}/devices/{id}/switch", .configure, switchDevice),
            .post("/people/{app}/{user}/devices/{id}/remove", .configure, removeDevice),
        ]
    }

    private static let devicesList = "console people/devices"

    private func devicesPage(_ call: ConsoleCall) async throws -> Page {
        let person = try await knownPerson(of: call)
        let page = try call.listPage(Self.devicesList)
        let found = try await store.endpoints(person.app.row, user: person.user, page)
        let words = DeviceWords(texts: call.texts, isUnmasked: call.may(.readUnmasked))
        var values: PageValues = [
            "devices": found.items.map { words.values(of: $0, person) }, "has_devices": !found.items.isEmpty,
        ]
        if let id = call.query["tested"].flatMap({ PublicID($0) }) {
            values.merge(try await testValues(id, person, call.texts)) { $1 }
        }
        values.merge(call.pager(Self.devicesList, next: found.next)) { $1 }
        return personPage("person_devices", .devices, person, call, values)
    }

    /// The device of the path, if it is the person's.
    ///
    /// - Throws: `Failure` with ``ErrorCode/notFound``.
    private func device(of call: ConsoleCall, _ person: Person) async throws -> Endpoint {
        let id = try call.id(of: "device")
        guard let endpoint = try await store.endpoint(person.app.row, .id(id)),
            let owner = endpoint.user, User.isSame(owner.id, person.user)
        else { throw Failure.notFound("device") }
        if case .removed = endpoint.status { throw Failure.notFound("device") }
        return endpoint
    }

    // MARK: A test

    private func sendTest(_ call: ConsoleCall) async throws -> ConsoleReply {
        let person = try await person(of: call)
        let endpoint = try await device(of: call, person)
        let content = Content(
            title: call.texts["people.test.title"],
            body: call.texts["people.test.body", ["name": try call.owner().name]],
            sound: "default"
        )
        let test = TestPush(app: person.app, endpoint: endpoint.id, content: content)
        let submitted = try await submitter.submit(test.submission(now: clock.now()), idempotency: nil)
        try await noteChange(
            "notification.send",
            of: AuditSubject("notification", submitted.id.description),
            by: call,
            app: person.app.row,
            after: ["test": true, "endpoint": .string(endpoint.id.description)]
        )
        try await awaitEnd(of: submitted.id)
        return .redirect("\(person.address)/devices?tested=\(submitted.id)")
    }

    /// Returns when a notification has ended, or when ``TestPush/timeout`` has.
    private func awaitEnd(of id: PublicID) async throws {
        let deadline = clock.now() + TestPush.timeout
        while let notification = try await store.notification(id), !TestPush.hasEnded(notification.counts) {
            guard clock.now() < deadline else { return }
            try await clock.sleep(for: TestPush.pause)
        }
    }

    /// What became of a test so far.
    private func testValues(_ id: PublicID, _ person: Person, _ texts: Texts) async throws -> PageValues {
        guard let notification = try await store.notification(id), notification.app == person.app.row else {
            return [:]
        }
        let facts = try await store.whyFacts(of: notification.row, user: person.user)
        guard let line = facts.devices.first ?? facts.lines.first else { return [:] }
        let pause = line.state == .pending ? try await store.pauses(.holding(notification.row)).first : nil
        var values = TestWords(texts: texts).values(of: line, pause: pause)
        values["test_address"] = "/console/notifications/\(id)"
        values["test_why"] = "\(person.address)/why/\(id)"
        values["tested"] = true
        return values
    }

    // MARK: On, off, away

    private func switchDevice(_ call: ConsoleCall) async throws -> ConsoleReply {
        let person = try await person(of: call)
        let endpoint = try await device(of: call, person)
        let isOn = call.form["on"] == "yes"
        let registrar = Registrar(store: store, providers: providers, vault: credentials.vault)
        let changed = try await registrar.update(endpoint, DeviceUpdate(isActive: isOn), by: .server)
        try await noteChange(
            "device.update",
            of: AuditSubject("device", endpoint.id.description),
            by: call,
            app: person.app.row,
            before: ["is_active": .bool(endpoint.isEnabled)],
            after: ["is_active": .bool(changed.isEnabled)]
        )
        return .redirect("\(person.address)/devices?done=\(isOn ? "device_on" : "device_off")")
    }

    private func removeDevice(_ call: ConsoleCall) async throws -> ConsoleReply {
        let person = try await person(of: call)
        let endpoint = try await device(of: call, person)
        _ = try await store.updateEndpoint(endpoint.row, EndpointUpdate(status: .removed(.byRequest)))
        try await noteChange(
            "device.delete",
            of: AuditSubject("device", endpoint.id.description),
            by: call,
            app: person.app.row,
            before: [
                "platform": .string(endpoint.platform.rawValue), "model": JSONValue(text: endpoint.device.model),
                "is_active": .bool(endpoint.isEnabled),
            ]
        )
        return .redirect("\(person.address)/devices?done=device_removed")
    }
}
