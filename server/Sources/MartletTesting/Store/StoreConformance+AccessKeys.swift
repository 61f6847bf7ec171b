import MartletCore
import MartletWire

extension StoreConformance {
    /// How the keys of the SNS interface are made, found and revoked.
    static let accessKeys: [Check] = [
        Check("an access key is found by its id until it is revoked, once, and at once not any more") { world in
            let made = try await world.store.createAccessKey(id: "MKIAONE", sealed: [0, 255, 7], name: "worker")
            try expect(made.createdAt, is: world.now, "time of creation")
            for _ in 0..<2 { try expect(try await world.store.accessKey("MKIAONE"), is: made, "the key") }
            try expect(try await world.store.accessKey("MKIATWO"), is: nil, "a key that does not exist")
            world.clock.advance(by: .seconds(1))
            try expect(try await world.store.revokeAccessKey("MKIAONE"), is: true, "revoking")
            try expect(try await world.store.accessKey("MKIAONE"), is: nil, "the revoked key")
            try expect(try await world.store.revokeAccessKey("MKIAONE"), is: false, "revoking again")
            try expect(try await world.store.revokeAccessKey("MKIATWO"), is: false, "revoking what does not exist")
            let listed = try await world.store.accessKeys(PageRequest()).items
            try expect(listed.map(\.revokedAt), is: [world.now], "time of revocation in the list")
        },
        Check("access keys are listed by age in pages") { world in
            var made: [StoredAccessKey] = []
            for index in 0..<5 {
                made.append(try await world.store.createAccessKey(id: "MKIA\(index)", sealed: [1], name: "\(index)"))
            }
            let listed = try await world.readAll(pagesOf: 2) { try await world.store.accessKeys($0) }
            try expect(listed, is: made, "access keys")
        },
    ]
}
