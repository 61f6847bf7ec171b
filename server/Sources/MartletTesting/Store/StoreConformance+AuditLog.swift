import MartletCore
import MartletStore
import MartletWire

extension StoreConformance {
    /// Who changed what.
    static let auditLog: [Check] = [
        Check("what is recorded is read as it was, newest first, in pages") { world in
            let app = try await world.makeApp()
            let actors = [
                AuditActor(.operator, id: "o1", name: "Ann"), AuditActor(.key, id: "k1", name: "worker"), .system,
            ]
            var wanted: [AuditDraft] = []
            for number in 0..<7 {
                let draft = AuditDraft(
                    number.isMultiple(of: 2) ? "app.update" : "category.create",
                    of: AuditSubject("app", "\(number)"),
                    by: actors[number % 3],
                    app: number.isMultiple(of: 3) ? app.row : nil,
                    before: number == 1
                        ? nil : .object(["name": .string("a\u{0}\(number)"), "sizes": .array([.null])]),
                    after: number == 2 ? nil : .object(["count": .integer(.max), "share": .number(0.5)])
                )
                try await world.store.record([draft])
                wanted.insert(draft, at: 0)
                world.clock.advance(by: .seconds(1))
            }
            let read = try await world.readAll(pagesOf: 3) { try await world.store.auditEntries(AuditFilter(), $0) }
            try expect(read.map(AuditDraft.init), is: wanted, "entries")
            try expect(
                read.map(\.at),
                is: (1...7).map { world.now - .seconds($0) },
                "times"
            )
            try expect(Set(read.map(\.row)).count, is: 7, "keys")
        },
        Check("several changes are recorded in their order, all or none") { world in
            try await world.store.record([])
            try await world.store.record((1...3).map { world.change("\($0)") })
            try expect(try await world.audited().map(\.subject.id), is: ["3", "2", "1"], "subjects")
        },
        Check("changes are found by actor, action, subject and app, each and all together") { world in
            let app = try await world.makeApp()
            let other = try await world.makeApp("com.example.other")
            let ann = AuditActor(.operator, id: "7", name: "Ann")
            let key = AuditActor(.key, id: "7", name: "Ann")
            try await world.store.record([
                AuditDraft("a.x", of: AuditSubject("a", "1"), by: ann, app: app.row),
                AuditDraft("a.y", of: AuditSubject("a", "1"), by: ann, app: app.row),
                AuditDraft("a.x", of: AuditSubject("b", "1"), by: ann, app: other.row),
                AuditDraft("a.x", of: AuditSubject("a", "1"), by: key, app: app.row),
                AuditDraft("a.x", of: AuditSubject("a", "2"), by: ann),
                AuditDraft("a.x", of: AuditSubject("a", "1"), by: .system, app: app.row),
            ])
            let all = Array(try await world.audited().reversed())
            func expectFound(_ filter: AuditFilter, _ places: [Int], _ what: String) async throws {
                try expect(try await world.audited(filter), is: places.map { all[$0] }, what)
            }
            let actor = AuditFilter.Actor(.operator, id: "7")
            let subject = AuditSubject("a", "1")
            try await expectFound(AuditFilter(actor: actor), [4, 2, 1, 0], "by an operator")
            try await expectFound(AuditFilter(actor: .init(.system, id: "")), [5], "by the system")
            try await expectFound(AuditFilter(action: "a.y"), [1], "an action")
            try await expectFound(AuditFilter(subject: subject), [5, 3, 1, 0], "a subject")
            try await expectFound(AuditFilter(app: other.row), [2], "an app")
            try await expectFound(
                AuditFilter(actor: actor, action: "a.x", subject: subject, app: app.row),
                [0],
                "all together"
            )
            try await expectFound(AuditFilter(action: "a"), [], "an action that nobody did")
            let filter = AuditFilter(subject: subject)
            let paged = try await world.readAll(pagesOf: 2) { try await world.store.auditEntries(filter, $0) }
            try expect(paged, is: [5, 3, 1, 0].map { all[$0] }, "pages")
        },
        Check("what is done with operators and sessions is recorded with it, without secrets, and nothing that failed")
        {
            world in
            let ann = try await world.makeOperator("Ann", .admin)
            let session = try await world.signIn(ann, "one")
            _ = try await world.update(ann) { $0.password = PasswordHash(ofNothing: .standard) }
            _ = try await world.update(ann) { _ in }
            _ = try await world.end(.one(session.id, of: nil))
            _ = try? await world.update(ann) { $0.isDisabled = true }
            _ = try? await world.redeem("nothing")
            let read = Array(try await world.audited().reversed())
            try expect(
                read.map(\.action),
                is: [.inviteOperator, .createOperator, .startSession, .updateOperator],
                "actions"
            )
            try expect(read.map(\.actor), is: [.system, ann.actor, ann.actor, .system], "actors")
            try expect(
                read.map(\.subject.id),
                is: ["Ann", ann.id.description, session.id.description, ann.id.description],
                "subjects"
            )
            let shown = JSONValue.object(["name": .string("Ann"), "role": .string("admin"), "disabled": .bool(false)])
            try expect(read[1].after, is: shown, "what an operator is")
            try expect(read[3].before, is: shown, "what they were")
            try expect(read[3].after?.objectValue?["has_new_password"], is: .bool(true), "that a password is new")
        },
        Check("what a notification has for the log is in it when it is accepted, once") { world in
            let app = try await world.makeApp()
            var draft = world.draft(app)
            let actor = AuditActor(.key, id: "k1", name: "worker")
            draft.audit = AuditDraft(.sendNotification, of: .notification(draft.id), by: actor, app: app.row)
            let sent = draft
            let record = try await world.idempotency("once")
            _ = try await world.store.submit(sent, idempotency: record)
            _ = try await world.store.submit(sent, idempotency: record)
            let read = try await world.audited()
            try expect(read.map(\.subject), is: [.notification(sent.id)], "subjects")
            try expect(read.map(\.actor), is: [actor], "actors")
        },
        Check("changes are swept in parts when they are old, and outlive the app that they are about") { world in
            let app = try await world.makeApp()
            for number in 0..<5 { try await world.store.record([world.change("\(number)", app: app)]) }
            try await world.store.deleteApp(app.row)
            world.clock.advance(by: .seconds(1))
            try await world.store.record([world.change("new")])
            try expect(try await world.audited(AuditFilter(app: app.row)).count, is: 5, "of an app that is gone")
            try expect(try await world.sweep(.auditLog, age: .seconds(1), limit: 2), is: [], "not older than that")
            world.clock.advance(by: .milliseconds(1))
            try expect(try await world.sweep(.auditLog, age: .seconds(1), limit: 2), is: [2, 2, 1], "parts")
            try expect(try await world.audited().map(\.subject.id), is: ["new"], "what is left")
        },
    ]
}

extension World {
    /// A change by the system.
    func change(_ id: String, app: App? = nil) -> AuditDraft {
        AuditDraft("thing.change", of: AuditSubject("thing", id), by: .system, app: app?.row)
    }

    func audited(_ filter: AuditFilter = AuditFilter()) async throws -> [AuditEntry] {
        try await store.auditEntries(filter, PageRequest()).items
    }
}

extension AuditDraft {
    /// What an entry was made from.
    fileprivate init(_ entry: AuditEntry) {
        self.init(
            entry.action,
            of: entry.subject,
            by: entry.actor,
            app: entry.app,
            before: entry.before,
            after: entry.after
        )
    }
}
