import MartletCore
import MartletStore
import MartletWire

extension StoreConformance {
    /// How an operator who exists gets a new password by a link.
    static let passwordLinks: [Check] = [
        Check("a link for an operator who exists sets their password once, ends their sessions, and keeps their role") {
            world in
            let ann = try await world.makeOperator("Ann", .sender)
            let bob = try await world.makeOperator("Bob", .admin)
            _ = try await world.signIn(ann, "one")
            let other = try await world.signIn(bob, "other")
            for role in [OperatorRole.sender, nil] {
                let made = try await world.invite("ANN", role, token: "link")
                try expect([made.name, made.role.rawValue], is: ["Ann", "sender"], "whom it is for")
                try expect(made.existing, is: ann.row, "the operator")
                try expect(made.expiresAt, is: world.now + Invitation.lifetime, "its end")
                try expect(try await world.store.invitation(SecretHash(of: "link")), is: made, "the same")
            }
            let promoted = try await world.update(ann) { $0.role = .admin }
            let new = PasswordHash(ofNothing: .init(rounds: 8, blockSize: 1, parallelism: 1))
            var wanted = promoted
            wanted.password = new
            let set = try await world.store.redeemInvitation(SecretHash(of: "link"), password: new)
            try expect(set, is: wanted, "Ann, with the role that she has by now")
            try expect(try await world.store.operators(.all, PageRequest()).items, is: [wanted, bob], "operators")
            try expect(try await world.sessions(.all), is: [other], "sessions")
            try await expectRefusal(.notFound, "the same link again") { _ = try await world.redeem("link") }
            let entries = try await world.store.auditEntries(AuditFilter(), PageRequest()).items
            try expect(entries[0].actor, is: ann.actor, "who used it")
            try expect(entries[0].action, is: .updateOperator, "what was done with it")
            try expect(
                entries.filter { $0.action == .resetPassword }.map(\.subject.id),
                is: [ann.id.description, ann.id.description],
                "whom links were made for"
            )
        },
        Check("a link for a new password is over after a quarter of an hour, and with another change of the password") {
            world in
            let ann = try await world.makeOperator("Ann", .admin)
            _ = try await world.invite("Ann", nil, token: "late")
            world.clock.advance(by: Invitation.lifetime)
            try expect(try await world.store.invitation(SecretHash(of: "late")), is: nil, "one that is old")
            try await expectRefusal(.notFound, "one that is old") { _ = try await world.redeem("late") }
            _ = try await world.invite("Ann", nil, token: "open")
            _ = try await world.update(ann) { $0.password = PasswordHash(ofNothing: .standard) }
            try await expectRefusal(.notFound, "one from before a change") { _ = try await world.redeem("open") }
        },
        Check("an operator who is disabled gets no link, and one from before does nothing, also when they are back") {
            world in
            _ = try await world.makeOperator("Ann", .admin)
            let bob = try await world.makeOperator("Bob", .viewer)
            _ = try await world.invite("Bob", nil, token: "link")
            let disabled = try await world.update(bob) { $0.isDisabled = true }
            try await expectRefusal(.conflict, "a link for who is disabled") {
                _ = try await world.invite("Bob", nil, token: "other")
            }
            try await expectRefusal(.notFound, "one from before") { _ = try await world.redeem("link") }
            let back = try await world.update(disabled) { $0.isDisabled = false }
            try await expectRefusal(.notFound, "one from before, of who is back") { _ = try await world.redeem("link") }
            try expect(try await world.store.operator(.name("Bob")), is: back, "Bob")
        },
        Check("a new operator needs a role, and one who exists gets no other one by a link") { world in
            _ = try await world.makeOperator("Ann", .viewer)
            try await expectRefusal(.invalidValue, "nobody's name without a role") {
                _ = try await world.invite("Eve", nil, token: "one")
            }
            try await expectRefusal(.conflict, "another role") {
                _ = try await world.invite("Ann", .admin, token: "one")
            }
            try expect(try await world.store.invitation(SecretHash(of: "one")), is: nil, "a link")
        },
    ]
}
