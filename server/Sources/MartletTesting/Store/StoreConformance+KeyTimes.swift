import MartletCore
import MartletStore
import MartletWire

extension StoreConformance {
    /// When keys expire, and when they were used last.
    static let keyTimes: [Check] = [
        Check("a key of either kind keeps when it expires, and is found afterwards too") { world in
            let end = world.now + .seconds(60)
            let key = try await world.makeKey("one", expiresAt: end)
            let lasting = try await world.makeKey("two")
            let access = try await world.store.createAccessKey(id: "MKIAONE", sealed: [1], name: "a", expiresAt: end)
            try expect([key.expiresAt, lasting.expiresAt, access.expiresAt], is: [end, nil, end], "when they expire")
            for moment in [world.now, end, end + .seconds(60)] {
                world.clock.advance(to: moment)
                try expect(try await world.store.key(.hash(SecretHash(of: "one")))?.api, is: key, "the key")
                try expect(try await world.store.key(.accessKey("MKIAONE"))?.access, is: access, "the access key")
            }
            let listed = try await world.store.keys(.api(app: nil), PageRequest()).items.compactMap(\.api)
            try expect(listed, is: [key, lasting], "the list")
        },
        Check("an admin key that has expired is not the one that is left") { world in
            let end = world.now + .seconds(60)
            let lasting = try await world.makeKey("one", scope: .admin)
            let ending = try await world.makeKey("two", scope: .admin, expiresAt: end)
            world.clock.advance(to: end)
            try await expectRefusal(.conflict, "the last admin key") {
                _ = try await world.store.revokeKey(.id(lasting.id), evenIfLast: false)
            }
            try expect(
                try await world.store.revokeKey(.id(ending.id), evenIfLast: false),
                is: true,
                "revoking one that has expired"
            )
        },
        Check("a key of either kind says when it was used last, which never moves backwards") { world in
            let key = try await world.makeKey("one")
            let other = try await world.makeKey("two")
            let access = try await world.store.createAccessKey(id: "MKIAONE", sealed: [1], name: "a")
            try expect([key.lastUsedAt, access.lastUsedAt], is: [nil, nil], "before the first use")
            func used() async throws -> [Timestamp?] {
                let keys = try await world.store.keys(.api(app: nil), PageRequest()).items.compactMap(\.api)
                let accessKeys = try await world.store.keys(.access, PageRequest()).items.compactMap(\.access)
                return keys.map(\.lastUsedAt) + accessKeys.map(\.lastUsedAt)
            }
            let (first, last) = (world.now + .seconds(1), world.now + .seconds(700))
            try await world.store.noteUses([])
            try expect(try await used(), is: [nil, nil, nil], "after no use")
            try await world.store.noteUses([KeyUse(.api(key.row), at: last), KeyUse(.access(access.row), at: first)])
            try expect(try await used(), is: [last, nil, first], "after a use")
            try await world.store.noteUses([KeyUse(.api(key.row), at: first), KeyUse(.access(access.row), at: last)])
            try expect(try await used(), is: [last, nil, last], "after one that was earlier, and one that was later")
            try await world.store.noteUses([
                KeyUse(.api(other.row), at: last), KeyUse(.api(other.row), at: first),
                KeyUse(.api(RowID(other.row.rawValue + 99)), at: last),
            ])
            try expect(try await used(), is: [last, last, last], "after two uses of one, and of a key that is gone")
        },
    ]
}

extension World {
    fileprivate func makeKey(
        _ secret: String,
        scope: KeyScope = .send,
        expiresAt: Timestamp? = nil
    ) async throws -> APIKey {
        try await store.createKey(
            app: nil,
            scope: scope,
            name: secret,
            prefix: "mk_",
            hash: SecretHash(of: secret),
            expiresAt: expiresAt
        )
    }
}
