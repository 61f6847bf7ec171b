import Foundation
import MartletCore
import MartletStore
import MartletWire

extension StoreConformance {
    /// Who uses the console: how they are invited, found and changed.
    static let operators: [Check] = [
        Check("an invitation makes an operator once, with its name and role, and is over after a quarter of an hour") {
            world in
            let made = try await world.invite("Ann", .sender, token: "one")
            try expect(
                made,
                is: Invitation(name: "Ann", role: .sender, expiresAt: world.now + .seconds(900)),
                "invitation"
            )
            try expect(try await world.store.invitation(SecretHash(of: "one")), is: made, "the same")
            try expect(try await world.store.invitation(SecretHash(of: "two")), is: nil, "another token's")
            let ann = try await world.redeem("one")
            try expect(
                [ann.name, ann.role.rawValue, ann.password.text],
                is: ["Ann", "sender", World.hash.text],
                "Ann"
            )
            try expect(ann.createdAt, is: world.now, "when they were made")
            try expect(ann.disabledAt, is: nil, "disabled")
            try expect(try await world.store.invitation(SecretHash(of: "one")), is: nil, "the redeemed invitation")
            try await expectRefusal(.notFound, "redeeming it again") { _ = try await world.redeem("one") }
            _ = try await world.invite("Bob", .viewer, token: "late")
            world.clock.advance(by: Invitation.lifetime)
            try expect(try await world.store.invitation(SecretHash(of: "late")), is: nil, "an invitation that is over")
            try await expectRefusal(.notFound, "one that is over") { _ = try await world.redeem("late") }
            try expect(try await world.store.operators(.all, PageRequest()).items, is: [ann], "operators")
        },
        Check("a name is one operator's, however it is written, and a new invitation takes an older one's place") {
            world in
            _ = try await world.invite("Ann", .viewer, token: "lost")
            _ = try await world.invite("ann", .admin, token: "new")
            try await expectRefusal(.notFound, "the older one") { _ = try await world.redeem("lost") }
            let ann = try await world.redeem("new")
            for name in ["ann", "ANN", "Ann"] {
                try expect(try await world.store.operator(.name(name)), is: ann, "by the name \(name)")
                try await expectRefusal(.conflict, "a second \(name)") {
                    _ = try await world.invite(name, .viewer, token: name)
                }
            }
            try expect(try await world.store.operator(.id(ann.id)), is: ann, "by the id")
            try expect(try await world.store.operator(.name("Anna")), is: nil, "nobody's name")
            try expect(try await world.store.operator(.id(world.makeID())), is: nil, "nobody's id")
            for name in ["", " a", "a ", "a\u{7}", String(repeating: "a", count: 65)] {
                try await expectRefusal(.invalidValue, "the name '\(name)'") {
                    _ = try await world.invite(name, .viewer, token: "x")
                }
            }
        },
        Check("the first operator is invited while there is none, by several servers, and made once") { world in
            _ = try await world.invite("admin", .admin, token: "one", isFirst: true)
            _ = try await world.invite("admin", .admin, token: "two", isFirst: true)
            _ = try await world.redeem("one")
            try await expectRefusal(.conflict, "the other server's") { _ = try await world.redeem("two") }
            try expect(
                try await world.store.invitation(SecretHash(of: "two")) != nil,
                "an invitation that was refused is used up"
            )
            try await expectRefusal(.conflict, "another first one") {
                _ = try await world.invite("other", .admin, token: "three", isFirst: true)
            }
        },
        Check("operators are listed by age in pages") { world in
            var made: [Operator] = []
            for name in ["e", "d", "c", "b", "a"] { made.append(try await world.makeOperator(name, .viewer)) }
            let listed = try await world.readAll(pagesOf: 2) { try await world.store.operators(.all, $0) }
            try expect(listed, is: made, "operators")
        },
        Check("what is named of an operator is changed, and one admin is always left") { world in
            let ann = try await world.makeOperator("Ann", .admin)
            let bob = try await world.makeOperator("Bob", .viewer)
            try await expectRefusal(.conflict, "the last admin's role") {
                _ = try await world.update(ann) { $0.role = .sender }
            }
            try await expectRefusal(.conflict, "the last admin") {
                _ = try await world.update(ann) { $0.isDisabled = true }
            }
            var wanted = bob
            wanted.role = .admin
            try expect(try await world.update(bob) { $0.role = .admin }, is: wanted, "another admin")
            world.clock.advance(by: .seconds(1))
            var left = ann
            left.disabledAt = world.now
            try expect(try await world.update(ann) { $0.isDisabled = true }, is: left, "who is disabled")
            world.clock.advance(by: .seconds(1))
            try expect(try await world.update(ann) { $0.isDisabled = true }, is: left, "disabled again")
            try await expectRefusal(.conflict, "the admin that is left") {
                _ = try await world.update(bob) { $0.role = .viewer }
            }
            try expect(try await world.update(ann) { $0.isDisabled = false }, is: ann, "who is back")
            let other = PasswordHash(ofNothing: .standard)
            wanted.password = other
            try expect(try await world.update(bob) { $0.password = other }, is: wanted, "a new password")
            try expect(try await world.store.operators(.all, PageRequest()).items, is: [ann, wanted], "operators")
            try await expectRefusal(.notFound, "nobody") {
                _ = try await world.store.updateOperator(world.makeID(), OperatorChange(), by: .system)
            }
        },
    ]

    /// Who is signed in.
    static let operatorSessions: [Check] = [
        Check("a session is found by its hash, with its operator as they are now") { world in
            let ann = try await world.makeOperator("Ann", .viewer)
            let made = try await world.signIn(ann, "one")
            try expect([made.address, made.userAgent], is: ["192.0.2.1", "Browser/1"], "where it is from")
            try expect([made.createdAt, made.usedAt], is: [world.now, world.now], "times")
            try expect(try await world.session("one"), is: made, "the session")
            try expect(try await world.session("two"), is: nil, "another secret's")
            let changed = try await world.update(ann) { $0.role = .admin }
            try expect(try await world.session("one")?.owner, is: changed, "its operator")
        },
        Check("a session lives twelve hours unused and seven days in all; its use is noted once a minute") { world in
            let ann = try await world.makeOperator("Ann", .viewer)
            let start = world.now
            let unused = try await world.signIn(ann, "unused")
            var used = try await world.signIn(ann, "used")
            world.clock.advance(by: .seconds(59))
            try await world.store.noteUse(of: used)
            try expect(try await world.session("used")?.usedAt, is: start, "noted too soon")
            world.clock.advance(by: .seconds(1))
            try await world.store.noteUse(of: used)
            try expect(try await world.session("used")?.usedAt, is: world.now, "noted")
            world.clock.advance(to: start + OperatorSession.idleLimit - .milliseconds(1))
            try expect(try await world.session("unused"), is: unused, "the last moment")
            world.clock.advance(by: .milliseconds(1))
            try expect(try await world.session("unused"), is: nil, "unused for too long")
            while world.now < start + OperatorSession.wholeLimit - .seconds(3_600) {
                used = try unwrap(try await world.session("used"), "session that is used")
                try await world.store.noteUse(of: used)
                world.clock.advance(by: .seconds(3_600))
            }
            world.clock.advance(to: start + OperatorSession.wholeLimit)
            try expect(try await world.session("used"), is: nil, "the old session")
        },
        Check("a session is made for who can sign in with the password that was checked") { world in
            let ann = try await world.makeOperator("Ann", .admin)
            let bob = try await world.makeOperator("Bob", .admin)
            _ = try await world.update(ann) { $0.password = PasswordHash(ofNothing: .standard) }
            try await expectRefusal(.unauthorized, "the old password") { _ = try await world.signIn(ann, "one") }
            _ = try await world.update(bob) { $0.isDisabled = true }
            try await expectRefusal(.unauthorized, "disabled") { _ = try await world.signIn(bob, "two") }
            try expect(try await world.store.sessions(.all, PageRequest()).items, is: [], "sessions")
        },
        Check("a new password ends all sessions but the one that is kept, and who is disabled has none") { world in
            let ann = try await world.makeOperator("Ann", .viewer)
            let bob = try await world.makeOperator("Bob", .viewer)
            let kept = try await world.signIn(ann, "kept")
            for secret in ["one", "two"] { _ = try await world.signIn(ann, secret) }
            let other = try await world.signIn(bob, "other")
            let changed = try await world.update(ann) {
                ($0.password, $0.keptSession) = (PasswordHash(ofNothing: .standard), kept.row)
            }
            try expect(try await world.sessions(.all).map(\.id), is: [kept.id, other.id], "sessions")
            _ = try await world.update(changed) { ($0.isDisabled, $0.keptSession) = (true, kept.row) }
            try expect(try await world.sessions(.all), is: [other], "sessions of who is not disabled")
        },
        Check("sessions are listed by age in pages, of one operator or all, and ended one by one or together") {
            world in
            let ann = try await world.makeOperator("Ann", .viewer)
            let bob = try await world.makeOperator("Bob", .viewer)
            var made: [OperatorSession] = []
            for number in 0..<5 { made.append(try await world.signIn(number == 2 ? bob : ann, "\(number)")) }
            let annas = made.filter { $0.owner == ann }
            let all = try await world.readAll(pagesOf: 2) { try await world.store.sessions(.all, $0) }
            try expect(all, is: made, "all")
            let own = try await world.readAll(pagesOf: 2) { try await world.store.sessions(.of(ann.row), $0) }
            try expect(own, is: annas, "one operator's")
            try expect(try await world.end(.one(made[0].id, of: bob.row)), is: 0, "somebody else's")
            try expect(try await world.end(.one(made[0].id, of: ann.row)), is: 1, "one")
            try expect(try await world.end(.one(made[0].id, of: nil)), is: 0, "one that is over")
            try expect(try await world.end(.one(made[1].id, of: nil)), is: 1, "anybody's")
            try expect(try await world.end(.all(of: ann.row, but: made[4].row)), is: 1, "all but one")
            try expect(try await world.sessions(.all), is: [made[2], made[4]], "what is left")
            try expect(try await world.end(.all(of: ann.row, but: nil)), is: 1, "all")
            try expect(try await world.sessions(.all), is: [made[2]], "the other's")
        },
        Check("an operator has so many sessions at most, and the oldest ends for one more") { world in
            let ann = try await world.makeOperator("Ann", .viewer)
            let bob = try await world.makeOperator("Bob", .viewer)
            let other = try await world.signIn(bob, "other")
            for number in 0...OperatorSession.limit { _ = try await world.signIn(ann, "\(number)") }
            try expect(try await world.sessions(.of(ann.row)).count, is: OperatorSession.limit, "sessions")
            try expect(try await world.session("0"), is: nil, "the oldest")
            try expect(try await world.session("other"), is: other, "somebody else's")
        },
        Check("sessions and invitations that are over are swept in parts, and no others") { world in
            let ann = try await world.makeOperator("Ann", .viewer)
            for number in 0..<3 { _ = try await world.signIn(ann, "\(number)") }
            for name in ["x", "y"] { _ = try await world.invite(name, .viewer, token: name) }
            try expect(try await world.sweep(.operatorSessions, limit: 9), is: [], "before their end")
            world.clock.advance(by: OperatorSession.idleLimit)
            let live = try await world.signIn(ann, "live")
            let open = try await world.invite("z", .viewer, token: "z")
            try expect(try await world.sweep(.operatorSessions, limit: 2), is: [2, 2, 1], "parts")
            try expect(try await world.sessions(.all), is: [live], "sessions")
            try expect(try await world.store.invitation(SecretHash(of: "z")), is: open, "invitation")
        },
        Check("the browsers and addresses that an operator has signed in with are known, and so many of them") {
            world in
            let ann = try await world.makeOperator("Ann", .viewer)
            let bob = try await world.makeOperator("Bob", .viewer)
            _ = try await world.signIn(ann, "none")
            try expect(try await world.store.browsers(of: ann.row), is: [], "a session without one")
            for (secret, address) in [("1", "a"), ("2", "b"), ("3", "c")] {
                _ = try await world.signIn(ann, secret, browser: secret == "3" ? "1" : secret, at: address)
            }
            try expect(
                Set(try await world.store.browsers(of: ann.row)),
                is: [
                    KnownBrowser(hash: SecretHash(of: "1"), address: "c"),
                    KnownBrowser(hash: SecretHash(of: "2"), address: "b"),
                    KnownBrowser(address: "a"), KnownBrowser(address: "b"), KnownBrowser(address: "c"),
                ],
                "browsers, with the last address, and all addresses"
            )
            _ = try await world.end(.all(of: ann.row, but: nil))
            try expect(try await world.store.browsers(of: ann.row).count, is: 5, "when the sessions have ended")
            try expect(try await world.store.browsers(of: bob.row), is: [], "somebody else's")
            for number in 1...KnownBrowser.limit {
                world.clock.advance(by: .milliseconds(1))
                _ = try await world.signIn(ann, "later \(number)", browser: "later \(number)", at: "d")
            }
            let known = try await world.store.browsers(of: ann.row)
            try expect(known.count, is: KnownBrowser.limit, "browsers and addresses at most")
            try expect(Set(known.map(\.address)), is: ["d"], "those that were used last")
        },
        Check("what an operator made by an equal request is found, whichever form it came by, and nobody else's") {
            world in
            let app = try await world.makeApp()
            let ann = try await world.makeOperator("Ann", .sender)
            let bob = try await world.makeOperator("Bob", .sender)
            func record(_ owner: Operator, _ once: String, _ text: String, route: String = "r") -> IdempotencyRecord {
                IdempotencyRecord(sentBy: owner, once: once, route: route, document: Data(text.utf8))
            }
            func found(_ record: IdempotencyRecord, _ since: Timestamp) async throws -> PublicID? {
                let found = try await world.store.submitted(like: record, since: since)
                return found?.id
            }
            let start = world.now
            world.clock.advance(by: .seconds(1))
            let one = try await world.store.submit(world.draft(app), idempotency: record(ann, "1", "text"))
            let asked = record(ann, "new", "text")
            try expect(try await found(asked, start), is: one.id, "equal")
            try expect(try await found(asked, world.now), is: nil, "before the moment")
            for (other, what) in [
                (record(bob, "1", "text"), "somebody else's"), (record(ann, "1", "other"), "another request"),
                (record(ann, "1", "text", route: "s"), "another route"),
            ] {
                try expect(try await found(other, start), is: nil, what)
            }
            world.clock.advance(by: .seconds(1))
            let two = try await world.store.submit(world.draft(app), idempotency: record(ann, "2", "text"))
            try expect(try await found(asked, start), is: two.id, "the newest")
        },
        Check("a review is its operator's alone, for a day, and an operator has so many") { world in
            let ann = try await world.makeOperator("Ann", .sender)
            let bob = try await world.makeOperator("Bob", .sender)
            let form = "title=%C3%A9&body=" + String(repeating: "x", count: 100_000)
            let first = try await world.store.createReview(form, of: ann.row)
            let other = try await world.store.createReview("title=b", of: bob.row)
            try expect(try await world.store.review(first, of: ann.row), is: form, "the form")
            try expect(try await world.store.review(first, of: bob.row), is: nil, "somebody else's")
            try expect(try await world.store.review(world.makeID(), of: ann.row), is: nil, "none")
            for _ in 1..<SendReview.limit { _ = try await world.store.createReview("", of: ann.row) }
            try expect(try await world.store.review(first, of: ann.row), is: form, "the oldest of so many")
            let last = try await world.store.createReview("last", of: ann.row)
            try expect(try await world.store.review(first, of: ann.row), is: nil, "one too many")
            world.clock.advance(by: SendReview.lifetime - .milliseconds(1))
            try expect(try await world.store.review(last, of: ann.row), is: "last", "within the day")
            try expect(try await world.sweep(.operatorSessions, limit: 9), is: [], "before their end")
            world.clock.advance(by: .milliseconds(1))
            try expect(try await world.store.review(last, of: ann.row), is: nil, "after a day")
            try expect(try await world.sweep(.operatorSessions, limit: 8), is: [8, 3], "what is over")
            try expect(try await world.store.review(other, of: bob.row), is: nil, "what was swept")
        },
    ]
}

extension World {
    /// A hash that costs nothing to make.
    static let hash = PasswordHash(ofNothing: .standard)

    func invite(
        _ name: String,
        _ role: OperatorRole?,
        token: String,
        isFirst: Bool = false
    ) async throws -> Invitation {
        let draft = InvitationDraft(name: name, role: role, hash: SecretHash(of: token), isFirst: isFirst)
        return try await store.createInvitation(draft, by: .system)
    }

    func redeem(_ token: String) async throws -> Operator {
        try await store.redeemInvitation(SecretHash(of: token), password: World.hash)
    }

    func makeOperator(_ name: String, _ role: OperatorRole) async throws -> Operator {
        _ = try await invite(name, role, token: "for \(name)")
        return try await redeem("for \(name)")
    }

    func update(_ known: Operator, _ edit: (inout OperatorChange) -> Void) async throws -> Operator {
        var change = OperatorChange()
        edit(&change)
        return try await store.updateOperator(known.id, change, by: .system)
    }

    func signIn(
        _ owner: Operator,
        _ secret: String,
        browser: String? = nil,
        at address: String = "192.0.2.1"
    ) async throws -> OperatorSession {
        try await store.createSession(
            SessionDraft(
                owner: owner,
                hash: SecretHash(of: secret),
                address: address,
                userAgent: "Browser/1\u{0}",
                browser: browser.map { SecretHash(of: $0) }
            )
        )
    }

    func session(_ secret: String) async throws -> OperatorSession? {
        try await store.sessions(.one(SecretHash(of: secret)), PageRequest()).items.first
    }

    func sessions(_ selection: SessionSelection) async throws -> [OperatorSession] {
        try await store.sessions(selection, PageRequest()).items
    }

    func end(_ ending: SessionEnding) async throws -> Int { try await store.endSessions(ending, by: .system) }

    /// Purges what is over now, or older than `age`, until nothing is left; says how many rows each part had.
    func sweep(_ table: RetentionTable, age: Duration = .zero, limit: Int) async throws -> [Int] {
        var parts: [Int] = []
        while true {
            let count = try await store.purge(table, before: now - age, limit: limit)
            guard count > 0 else { return parts }
            parts.append(count)
        }
    }
}
