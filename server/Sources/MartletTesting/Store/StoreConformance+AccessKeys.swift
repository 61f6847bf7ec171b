import MartletCore
import MartletStore
import MartletWire

extension StoreConformance {
    /// How the keys of the SNS interface are made, found and revoked.
    static let accessKeys: [Check] = [
        Check("an access key is found by its id until it is revoked, once, and at once not any more") { world in
            let made = try await world.store.createAccessKey(id: "MKIAONE", sealed: [0, 255, 7], name: "worker")
            try expect(made.createdAt, is: world.now, "time of creation")
            for _ in 0..<2 { try expect(try await world.store.key(.accessKey("MKIAONE"))?.access, is: made, "the key") }
            try expect(try await world.store.key(.accessKey("MKIATWO"))?.access, is: nil, "a key that does not exist")
            world.clock.advance(by: .seconds(1))
            try expect(try await world.store.revokeKey(.accessKey("MKIAONE"), evenIfLast: false), is: true, "revoking")
            try expect(try await world.store.key(.accessKey("MKIAONE"))?.access, is: nil, "the revoked key")
            try expect(
                try await world.store.revokeKey(.accessKey("MKIAONE"), evenIfLast: false),
                is: false,
                "revoking again"
            )
            try expect(
                try await world.store.revokeKey(.accessKey("MKIATWO"), evenIfLast: false),
                is: false,
                "revoking what does not exist"
            )
            let listed = try await world.store.keys(.access, PageRequest()).items.compactMap(\.access)
            try expect(listed.map(\.revokedAt), is: [world.now], "time of revocation in the list")
            try expect(listed.map(\.sealed), is: [[]], "what is left of the secret")
        },
        Check("an access key keeps what it may do, and without that may do everything") { world in
            let rules = ["publish:arn:aws:sns:*:*:news", "list*,get*:*"]
            let limited = try await world.store.createAccessKey(
                id: "MKIAONE",
                sealed: [1],
                name: "limited",
                permissions: try rules.map { try AccessPermission($0) }
            )
            let free = try await world.store.createAccessKey(id: "MKIATWO", sealed: [1], name: "free")
            try expect(limited.permissions?.map(\.text), is: rules, "the rules")
            try expect(try await world.store.key(.accessKey("MKIAONE"))?.access, is: limited, "the limited key")
            try expect(
                try await world.store.key(.accessKey("MKIATWO"))?.access?.permissions,
                is: nil,
                "the other's rules"
            )
            try expect(
                try await world.store.keys(.access, PageRequest()).items.compactMap(\.access),
                is: [limited, free],
                "the list"
            )
        },
        Check("access keys are listed by age in pages") { world in
            var made: [StoredAccessKey] = []
            for index in 0..<5 {
                made.append(try await world.store.createAccessKey(id: "MKIA\(index)", sealed: [1], name: "\(index)"))
            }
            let listed = try await world.readAll(pagesOf: 2) {
                try await world.store.keys(.access, $0).compactMap(\.access)
            }
            try expect(listed, is: made, "access keys")
        },
    ]
}
