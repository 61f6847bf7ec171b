import MartletCore
import MartletStore
import MartletWire

extension StoreConformance {
    /// How apps are made, found, changed and deleted.
    static let apps: [Check] = [
        Check("an app is found by row, id, name, and issuer with audience") { world in
            let identity = Identity(
                mode: .signed,
                issuer: "https://id.example.com",
                audience: "riders",
                verification: .secret(sealed: [9, 8, 7])
            )
            let app = try await world.store.createApp(name: "com.example.app", identity: identity)
            try expect(app.identity, is: identity, "identity")
            try expect(app.createdAt, is: world.now, "time of creation")
            let pair = AppSelector.identity(issuer: "https://id.example.com", audiences: ["others", "riders"])
            for selector in [AppSelector.row(app.row), .id(app.id), .name("com.example.app"), pair] {
                try expect(try await world.store.app(selector), is: app, "\(selector)")
            }
            for selector in [
                AppSelector.row(RowID(app.row.rawValue + 1)), .id(world.makeID()), .name("com.example"),
                .identity(issuer: "https://id.example.com", audiences: ["others"]),
                .identity(issuer: "https://other.example.com", audiences: ["riders"]),
            ] {
                try expect(try await world.store.app(selector), is: nil, "\(selector)")
            }
        },
        Check("every form of verification comes back as it was stored") { world in
            let forms: [Identity.Verification?] = [
                nil, .secret(sealed: [0, 255]), .keySet(json: "{\"keys\":[]}"),
                .keySetURL("https://id.example.com/jwks"),
            ]
            for (index, form) in forms.enumerated() {
                let app = try await world.store.createApp(name: "app\(index)", identity: Identity(verification: form))
                try expect(try await world.store.app(.row(app.row))?.identity.verification, is: form, "verification")
            }
        },
        Check("apps are listed by age in pages") { world in
            var made: [App] = []
            for index in 0..<5 { made.append(try await world.makeApp("app\(index)")) }
            let listed = try await world.readAll(pagesOf: 2) { try await world.store.apps($0) }
            try expect(listed, is: made, "apps")
        },
        Check("a name and a pair of issuer and audience are taken once") { world in
            let pair = Identity(mode: .signed, issuer: "https://id.example.com", audience: "riders")
            let first = try await world.store.createApp(name: "first", identity: pair)
            try await expectRefusal(.conflict, "the same name") { _ = try await world.makeApp("first") }
            try await expectRefusal(.conflict, "the same pair") {
                _ = try await world.store.createApp(name: "second", identity: pair)
            }
            let second = try await world.makeApp("second")
            try await expectRefusal(.conflict, "a change to the same name") {
                _ = try await world.store.updateApp(second.row, name: "first", identity: nil)
            }
            try await expectRefusal(.conflict, "a change to the same pair") {
                _ = try await world.store.updateApp(second.row, name: nil, identity: pair)
            }
            try expect(try await world.store.app(.row(second.row)), is: second, "the refused app")
            try expect(
                try await world.store.updateApp(first.row, name: "first", identity: pair),
                is: first,
                "a change to what it is already"
            )
        },
        Check("a change leaves what it does not name") { world in
            let app = try await world.makeApp()
            let renamed = try await world.store.updateApp(app.row, name: "renamed", identity: nil)
            try expect(renamed.identity, is: app.identity, "identity")
            let signed = Identity(mode: .signed, verification: .keySet(json: "{}"))
            let changed = try await world.store.updateApp(app.row, name: nil, identity: signed)
            try expect(changed.name, is: "renamed", "name")
            try expect(try await world.store.app(.id(app.id)), is: changed, "what is stored")
            try await expectRefusal(.notFound, "an app that does not exist") {
                _ = try await world.store.updateApp(RowID(99), name: "x", identity: nil)
            }
        },
        Check("what is sent to somebody new of an app that is gone is refused") { world in
            let app = try await world.makeApp()
            try await world.store.deleteApp(app.row)
            try await expectRefusal(.notFound, "a send") {
                let draft = world.draft(app, to: .users(["ann"]))
                _ = try await world.store.submit(draft, idempotency: nil, gate: world.gate(of: app.row))
            }
        },
        Check("an app's settings are off until they are set, and stay with other changes") { world in
            let app = try await world.makeApp()
            try expect(app.settings, is: AppSettings(), "the settings of a new app")
            let settings = AppSettings(hasBadgeSync: true, snsUserPointer: JSONPointer("/user_uid"))
            let set = try await world.store.updateApp(app.row, name: nil, identity: nil, settings: settings)
            try expect(set.settings, is: settings, "what was set")
            let renamed = try await world.store.updateApp(app.row, name: "renamed", identity: nil)
            try expect(renamed.settings, is: settings, "the settings after another change")
            try expect(try await world.store.app(.row(app.row)), is: renamed, "what is stored")
            let cleared = try await world.store.updateApp(app.row, name: nil, identity: nil, settings: AppSettings())
            try expect(cleared.settings.snsUserPointer, is: nil, "the pointer after it was cleared")
        },
        Check("what was read before it changed is read anew") { world in
            let store = world.store
            let app = try await world.makeApp("old name")
            let queue = DeliveryQueue(app: app.row, platform: .apns, environment: .production)
            let hash = SecretHash(of: "presented")
            let key = try await store.createKey(app: app.row, scope: .send, name: "", prefix: "", hash: hash)
            let first = try await store.storeCredential(queue, world.credentialDraft())
            for _ in 0..<2 {
                try expect(try await store.app(.name("old name")), is: app, "the app by its name")
                try expect(try await store.app(.row(app.row)), is: app, "the app by its row")
                try expect(try await store.key(.hash(hash))?.api, is: key, "the key")
                try expect(try await store.credentials(app.row), is: [first], "its credentials")
            }
            let renamed = try await store.updateApp(app.row, name: "new name", identity: nil)
            try expect(try await store.app(.name("old name")), is: nil, "the app by its old name")
            try expect(try await store.app(.row(app.row)), is: renamed, "the renamed app by its row")
            let second = try await store.storeCredential(queue, world.credentialDraft(topic: "com.example.other"))
            try expect(try await store.credentials(app.row), is: [second], "its credentials after the replacement")
            try expect(try await store.deleteCredential(queue), is: true, "whether there was a credential")
            try expect(try await store.credentials(app.row), is: [], "its credentials after the deletion")
            try expect(
                try await store.revokeKey(.id(key.id), evenIfLast: true),
                is: true,
                "whether the key was in force"
            )
            try expect(try await store.key(.hash(hash))?.api, is: nil, "the revoked key")
        },
        Check("a deleted app takes with it what is its own and nothing else") { world in
            let (app, other) = (try await world.makeApp("one"), try await world.makeApp("two"))
            var sent: [Notification] = []
            for app in [app, other] {
                let queue = try await world.makeQueue(app)
                try await world.register(app, 1, user: "ann")
                sent.append(try await world.send(app, dedup: Dedup(key: "alert")))
                try await world.deliver(queue, .dead, reason: "Later")
                _ = try await world.send(app, dedup: Dedup(key: "other alert"))
                _ = try await world.store.createKey(
                    app: app.row,
                    scope: .send,
                    name: app.name,
                    prefix: "mk",
                    hash: SecretHash(of: app.name)
                )
            }
            try await world.store.deleteApp(app.row)
            try expect(try await world.store.app(.id(app.id)), is: nil, "the app")
            try expect(try await world.store.key(.hash(SecretHash(of: "one")))?.api, is: nil, "its key")
            try expect(try await world.store.credentials(app.row), is: [], "its credentials")
            try expect(try await world.store.notification(sent[0].id), is: nil, "its notification")
            try expect(
                try await world.store.endpoints(app.row, user: nil, PageRequest()).items,
                is: [],
                "its endpoints"
            )
            try expect(
                try await world.store.failedWork(DeadLetter.self).items.map(\.app),
                is: [other.row],
                "letters"
            )
            try expect(try await world.store.dueWork().queues.map(\.app), is: [other.row], "queues with work")
            try expect(try await world.read(sent[1].id).counts.dead, is: 1, "the other app's notification")
            let again = try await world.makeApp("one")
            try expect(again.row != app.row, "a new app has the old one's row")
        },
    ]

    /// Credentials and pauses.
    static let queues: [Check] = [
        Check("a credential takes the place of its queue's and gets another row") { world in
            let app = try await world.makeApp()
            let queue = DeliveryQueue(app: app.row, platform: .apns, environment: .sandbox)
            let summary = CredentialSummary(
                kind: .certificate,
                topic: "com.example.app",
                keyID: nil,
                teamID: "TEAM",
                expiresAt: world.now + .seconds(60)
            )
            let draft = StoredCredentialDraft(
                summary: summary,
                sealed: [5, 6],
                url: "https://localhost:1",
                isURLOfOperator: true,
                trust: "-----BEGIN CERTIFICATE-----"
            )
            let first = try await world.store.storeCredential(queue, draft)
            try expect(try await world.store.credentials(app.row), is: [first], "credentials")
            try expect(first.summary, is: summary, "summary")
            try expect(first.trust, is: draft.trust, "trust")
            try expect(first.isURLOfOperator, "it is forgotten that the operator named the address")
            let second = try await world.store.storeCredential(queue, world.credentialDraft())
            try expect(second.row > first.row, "a replaced credential keeps its row")
            try expect(!second.isURLOfOperator, "a replaced credential keeps who named its address")
            _ = try await world.makeQueue(app, .production)
            let stored = try await world.store.credentials(app.row)
            try expect(Set(stored.map(\.environment)), is: [.sandbox, .production], "environments")
            try expect(try await world.store.deleteCredential(queue), is: true, "deletion")
            try expect(try await world.store.deleteCredential(queue), is: false, "second deletion")
            try expect(try await world.store.credentials(app.row).map(\.environment), is: [.production], "rest")
            let third = try await world.store.storeCredential(queue, world.credentialDraft())
            try expect(third.row > second.row, "a deleted credential's row comes back")
        },
        Check("a paused queue stays paused with its first reason until it is resumed or gets a credential") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            try await world.register(app, 1)
            func pause(_ reason: String) async throws {
                let leased = try await world.leaseOne(queue)
                var settlement = leased.settlement
                settlement.remaining = leased.batch.members
                settlement.isLeaseReleased = true
                settlement.pause = Pause(queue: queue, reason: reason, advice: "mend it", since: world.now)
                try await world.store.settle(settlement)
            }
            let other = try await world.send(app)
            try await world.settle(try await world.leaseOne(queue))
            let sent = try await world.send(app)
            try await pause("InvalidProviderToken")
            let pauses = try await world.store.pauses(app.row)
            try expect(pauses.map(\.reason), is: ["InvalidProviderToken"], "reasons")
            try expect(try await world.store.pauses(nil), is: pauses, "pauses of all apps")
            try expect(
                try await world.store.pauses(.holding(sent.row)),
                is: pauses,
                "pauses that hold the notification"
            )
            try expect(
                try await world.store.pauses(.holding(other.row)),
                is: [],
                "pauses that hold one of another queue"
            )
            try expect(try await world.store.pauses(RowID(app.row.rawValue + 1)), is: [], "another app's pauses")
            try expect(try await world.store.dueWork().queues, is: [], "due queues")
            try expect(try await world.lease(queue).isEmpty, "a paused queue's batches are leased")
            try expect(try await world.store.resume(queue), is: true, "resuming")
            try expect(try await world.store.resume(queue), is: false, "resuming again")
            try expect(try await world.store.dueWork().queues, is: [queue], "queues after resuming")
            try await pause("TopicDisallowed")
            _ = try await world.store.storeCredential(queue, world.credentialDraft())
            try expect(try await world.store.pauses(nil), is: [], "pauses after another credential")
        },
        Check("what a provider said of a topic stays with the credential; an acceptance replaces a refusal") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            try await world.register(app, 1)
            let credential = try unwrap(try await world.store.credentials(app.row).first, "credential")
            try expect(credential.topics, is: [:], "topics at first")
            func note(_ standing: CredentialTopic.Standing, _ topic: String) async throws {
                _ = try await world.send(app)
                var settlement = try await world.leaseOne(queue).settlement
                settlement.results = settlement.batch.members.map { world.result($0) }
                settlement.topic = CredentialTopic(credential: credential.row, name: topic, standing: standing)
                try await world.store.settle(settlement)
            }
            func topics() async throws -> [String: CredentialTopic.Standing]? {
                let credentials = try await world.store.credentials(app.row)
                return credentials.first?.topics
            }
            try await note(.refused, "a")
            try await note(.accepted, "b")
            try expect(try await topics(), is: ["a": .refused, "b": .accepted], "topics")
            try await note(.accepted, "a")
            try await note(.refused, "b")
            try expect(try await topics(), is: ["a": .accepted, "b": .accepted], "topics after acceptances")
            _ = try await world.store.storeCredential(queue, world.credentialDraft())
            try expect(try await topics(), is: [:], "topics of another credential")
            try await note(.accepted, "a")
            try expect(try await topics(), is: [:], "topics after a late answer about the credential before")
        },
        Check("a pause that is there already keeps its reason") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            try await world.register(app, 1)
            _ = try await world.send(app)
            _ = try await world.send(app)
            let leased = try await world.lease(queue)
            for (item, reason) in zip(leased, ["first", "second"]) {
                var settlement = item.settlement
                settlement.remaining = item.batch.members
                settlement.pause = Pause(queue: queue, reason: reason, advice: "mend it", since: world.now)
                try await world.store.settle(settlement)
                world.clock.advance(by: .seconds(1))
            }
            try expect(try await world.store.pauses(nil).map(\.reason), is: ["first"], "reasons")
        },
        Check("an answer to a push under an older credential does not pause the new one") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            try await world.register(app, 1)
            _ = try await world.send(app)
            let leased = try await world.leaseOne(queue)
            world.clock.advance(by: .seconds(1))
            _ = try await world.store.storeCredential(queue, world.credentialDraft())
            var settlement = leased.settlement
            settlement.remaining = leased.batch.members
            settlement.pause = Pause(queue: queue, reason: "InvalidProviderToken", advice: "", since: world.now)
            try await world.store.settle(settlement)
            try expect(try await world.store.pauses(nil), is: [], "pauses")
        },
        Check("what was sent with a credential that was replaced as it was accepted does not pause the new one") {
            world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            try await world.register(app, 1)
            _ = try await world.send(app)
            let old = try unwrap(try await world.store.credentials(app.row).first, "credential")
            let new = try await world.store.storeCredential(queue, world.credentialDraft())
            // By the clock the push was made with the new one.
            world.clock.advance(by: .seconds(1))
            var settlement = try await world.leaseOne(queue).settlement
            settlement.remaining = settlement.batch.members
            settlement.pause = Pause(queue: queue, reason: "InvalidProviderToken", advice: "", since: world.now)
            for (credential, count) in [(old.row, 0), (new.row, 1)] {
                settlement.pause?.credential = credential
                try await world.store.settle(settlement)
                try expect(try await world.store.pauses(nil).count, is: count, "pauses")
            }
        },
        Check("what was sent with a credential that was deleted meanwhile pauses nothing") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            try await world.register(app, 1)
            _ = try await world.send(app)
            let credential = try unwrap(try await world.store.credentials(app.row).first, "credential")
            var settlement = try await world.leaseOne(queue).settlement
            _ = try await world.store.setCredential(queue, nil)
            settlement.remaining = settlement.batch.members
            settlement.pause = Pause(queue: queue, reason: "InvalidProviderToken", advice: "", since: world.now)
            settlement.pause?.credential = credential.row
            try await world.store.settle(settlement)
            try expect(try await world.store.pauses(nil), is: [], "pauses")
        },
    ]

    /// The keys of the REST interface.
    static let keys: [Check] = [
        Check("a key is found by its hash until it is revoked, once") { world in
            let app = try await world.makeApp()
            let hash = SecretHash(of: "mk_send_1")
            let key = try await world.store.createKey(
                app: app.row,
                scope: .send,
                name: "worker",
                prefix: "mk_send_1",
                hash: hash
            )
            try expect(try await world.store.key(.hash(hash))?.api, is: key, "the key")
            try expect(
                try await world.store.key(.hash(SecretHash(of: "mk_send_2")))?.api,
                is: nil,
                "another secret's key"
            )
            world.clock.advance(by: .seconds(1))
            try expect(try await world.store.revokeKey(.id(key.id), evenIfLast: true), is: true, "revoking")
            try expect(try await world.store.revokeKey(.id(key.id), evenIfLast: true), is: false, "revoking again")
            try expect(
                try await world.store.revokeKey(.id(world.makeID()), evenIfLast: true),
                is: false,
                "revoking what does not exist"
            )
            try expect(try await world.store.key(.hash(hash))?.api, is: nil, "the revoked key")
            let listed = try await world.store.keys(.api(app: app.row), PageRequest()).items.compactMap(\.api)
            try expect(listed.map(\.revokedAt), is: [world.now], "time of revocation in the list")
        },
        Check("keys are listed by age in pages, of one app or of all") { world in
            let app = try await world.makeApp()
            var made: [APIKey] = []
            for (index, scope) in [KeyScope.admin, .send, .client, .send, .admin].enumerated() {
                made.append(
                    try await world.store.createKey(
                        app: scope == .admin ? nil : app.row,
                        scope: scope,
                        name: "key\(index)",
                        prefix: "mk_",
                        hash: SecretHash(of: "\(index)")
                    )
                )
            }
            let all = try await world.readAll(pagesOf: 2) {
                try await world.store.keys(.api(app: nil), $0).compactMap(\.api)
            }
            try expect(all, is: made, "all keys")
            let own = try await world.readAll(pagesOf: 2) {
                try await world.store.keys(.api(app: app.row), $0).compactMap(\.api)
            }
            try expect(own, is: made.filter { $0.app == app.row }, "the app's keys")
        },
    ]
}
