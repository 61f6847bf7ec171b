import MartletCore
import MartletStore
import MartletWire

extension StoreConformance {
    /// What is shown of one notification beside its numbers.
    static let notificationDetails: [Check] = [
        Check("a notification's messages are read as they were rendered, and those of no other") { world in
            let app = try await world.makeApp()
            _ = try await world.makeQueue(app)
            let sent = try await world.send(app)
            let messages = try await world.store.messages(of: sent.row)
            try expect(messages.map(\.platform), is: [.apns], "platforms")
            try expect(messages.first?.payload.bytes, is: Array("{}".utf8), "payload")
            try expect(messages.first?.headers, is: ["apns-push-type": "alert"], "headers")
            try expect(try await world.store.messages(of: RowID(1)).count, is: 0, "of another")
        },
        Check("those who missed a notification are counted by state and reason, up to a number") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            for number in 1...4 { try await world.register(app, number, user: "user-\(number)") }
            let sent = try await world.send(app, to: .users((1...4).map { "user-\($0)" } + ["cid", "dan", "eve"]))
            var leased = try await world.leaseOne(queue).settlement
            let members = leased.batch.members
            leased.results = [
                world.result(members[0]), world.result(members[1], .rejected, reason: "BadTopic"),
                world.result(members[2], .expired), world.result(members[3], .rejected, reason: "BadTopic"),
            ]
            try await world.store.settle(leased)
            let all = try await world.store.missedReasons(of: sent.row, limit: 100)
            let counts: [MissedReasons.Reason: Int] = [
                .init(.suppressed, "no_endpoint"): 3, .init(.rejected, "BadTopic"): 2, .init(.expired, nil): 1,
            ]
            try expect(all, is: MissedReasons(counts: counts), "all")
            let part = try await world.store.missedReasons(of: sent.row, limit: 2)
            try expect(part.isWhole, is: false, "a part says so")
            try expect(part.counts[.init(.suppressed, "no_endpoint")], is: 2, "as many as were looked at")
        },
        Check("what a provider took of a notification is counted by the second, where that is not too much") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            for number in 1...300 { try await world.register(app, number, user: "user-\(number)") }
            let sent = try await world.send(app)
            var leased = try await world.leaseOne(queue).settlement
            let members = leased.batch.members
            let begin = Timestamp(milliseconds: world.now.rawValue / 1_000 * 1_000)
            leased.results = members.prefix(200).map { world.result($0) }
            leased.remaining = Array(members.dropFirst(200))
            try await world.store.settle(leased)
            let first = try await world.store.acceptedSeconds(of: sent.row, limit: 1)
            try expect(first, is: [begin: 200], "one batch")
            try expect(try await world.store.acceptedSeconds(of: sent.row, limit: 0) == nil, is: true, "too many")
            try expect(try await world.store.acceptedSeconds(of: RowID(1), limit: 1), is: [:], "of another")
        },
    ]
}
