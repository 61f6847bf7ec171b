import MartletCore
import MartletWire
import Synchronization

extension ProviderConformance {
    /// What connections do to a push.
    static let connections: [Check] = [
        Check("a burst larger than what the service takes at a time is all answered, and each is sent once") {
            fixture in
            let tokens = (0..<fixture.capacity * 5).map(fixture.token)
            let outcomes = try await fixture.send(to: tokens)
            try expect(outcomes.count, is: tokens.count, "outcomes")
            try expect(outcomes.values.allSatisfy { $0 == .accepted }, "not all are accepted")
            let received = fixture.received.map(\.token)
            try expect(received.count, is: tokens.count, "pushes that the simulator got")
            try expect(Set(received), is: Set(tokens), "tokens that the simulator got")
        },
        Check(
            "a push without an answer is to be tried again within its deadline, and the others have theirs",
            answerTimeout: .seconds(4)
        ) { fixture in
            // The connection is there before, so that only the answer is waited for.
            _ = try await fixture.send(to: [fixture.token(0)])
            fixture.script(fixture.token(1), .silence)
            let start = ContinuousClock.now
            let outcomes = try await fixture.send(to: [fixture.token(1), fixture.token(2)])
            let time = ContinuousClock.now - start
            guard case .retry(let retry)? = outcomes[0], retry.kind == .connection else {
                throw Violation(description: "no answer: found \(outcomes)")
            }
            try expect(outcomes[1], is: .accepted, "the other one")
            // Between the check's deadline and the 30 s that providers have of their own is the time of a busy machine.
            try expect(time < .seconds(30), "it took \(time)")
        },
        Check("a cancelled push returns soon, and what was not sent has no outcome") { fixture in
            _ = try await fixture.send(to: [fixture.token(0)])
            fixture.script(nil, .silence)
            let tokens = (1...fixture.capacity * 5).map(fixture.token)
            let push = try fixture.push(to: tokens)
            let sending = Task { try await fixture.send(push) }
            try await Eventually.is("the simulator has got some") { fixture.received.count > 1 }
            sending.cancel()
            let outcomes = try await sending.value
            let late = outcomes.values.filter {
                if case .retry(let retry) = $0 { retry.reason == "NoAnswerInTime" } else { false }
            }
            try expect(late, is: [], "the deadline ended it")
            try expect(outcomes.count <= fixture.capacity, "\(outcomes.count) of \(tokens.count) have an outcome")
            try expect(!outcomes.values.contains(.accepted), "accepted without an answer")
            let sent = Set(fixture.received.map(\.token)).intersection(tokens)
            let told = Set(outcomes.keys.map { tokens[$0] })
            try expect(sent.isSubset(of: told), "what was sent has no outcome")
        },
        Check("a push that need not wait for a token is begun without a task, and answered as any other") { fixture in
            _ = try await fixture.send(to: [fixture.token(0)])
            let push = try fixture.push(to: [fixture.token(1)])
            let outcomes = Mutex<[Int: Outcome]>([:])
            let provider = fixture.provider
            let isBegun = await withCheckedContinuation { (ended: CheckedContinuation<Bool, Never>) in
                let cancel = provider.begin(push) { index, outcome in
                    outcomes.withLock { $0[index] = outcome }
                } ended: {
                    ended.resume(returning: true)
                }
                if cancel == nil { ended.resume(returning: false) }
            }
            // A browser's message is sealed first.
            try expect(isBegun, is: provider.platform != .webpush, "whether it is begun")
            try expect(outcomes.withLock { $0 }, is: isBegun ? [0: .accepted] : [:], "outcomes")
            let received = fixture.received.count { $0.token == fixture.token(1) }
            try expect(received, is: isBegun ? 1 : 0, "pushes that the simulator got")
        },
        Check("a push that is cancelled before it is sent sends nothing") { fixture in
            let push = try fixture.push(to: [fixture.token(1)])
            let sending = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await fixture.send(push)
            }
            try expect(try await sending.value, is: [:], "outcomes")
            try expect(fixture.received, is: [], "pushes")
        },
    ]
}
