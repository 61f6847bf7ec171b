import MartletCore
import MartletWire

extension ProviderConformance {
    static let credentials: [Check] = [
        Check("what is no credential is refused before it is stored, with what to do") { fixture in
            let failure = try refusal("no credential") { _ = try fixture.provider.check(fixture.unreadableCredential) }
            try expect(failure.code, is: .invalidCredential, "code")
            try expect(
                failure.detail.field != nil || failure.detail.hint != nil,
                "it says neither where nor what to do"
            )
        },
        Check("a credential that the service refuses is misconfigured, with advice") { fixture in
            let outcomes = try await fixture.send(to: [fixture.token(1)], with: fixture.refusedCredential)
            guard case .misconfigured(let found)? = outcomes[0] else {
                throw Violation(description: "a refused credential: found \(outcomes)")
            }
            try expect(!found.reason.isEmpty, "no reason")
            try expect(!found.advice.isEmpty, "no advice")
            try expect(!fixture.received.contains(where: \.isTaken), "the simulator took a push")
        },
    ]

    static let addresses: [Check] = [
        Check("a private address that somebody else than the operator named is not connected to") { fixture in
            var others = try fixture.credential
            others.credential.isURLOfOperator = false
            try expect(others.credential.isURLOfOthers, "the fixture's credential has no url")
            let outcomes = try await fixture.send(to: [fixture.token(1), fixture.token(2)], with: others)
            try expect(outcomes.count, is: 2, "outcomes")
            try expect(!outcomes.values.contains(.accepted), "accepted")
            try expect(fixture.received, is: [], "pushes at the private address")
            let own = try await fixture.send(to: [fixture.token(1)])
            try expect(own, is: [0: .accepted], "the operator's own word")
        }
    ]

    static let answers: [Check] = [
        Check("every target has one outcome, and is accepted when the service took it and only then") { fixture in
            let tokens = (0..<60).map(fixture.token)
            for (number, token) in tokens.enumerated() {
                if number % 3 == 1 { fixture.script(token, .gone) }
                if number % 3 == 2 { fixture.script(token, .unavailable) }
            }
            let outcomes = try await fixture.send(to: tokens)
            try expect(outcomes.count, is: tokens.count, "outcomes")
            let accepted = Set(outcomes.filter { $0.value == .accepted }.map { tokens[$0.key] })
            let taken = Set(fixture.received.filter(\.isTaken).map(\.token))
            try expect(accepted, is: taken, "accepted targets")
            try expect(taken.count, is: 20, "targets that the simulator took")
        },
        Check("a device that the app is gone from is rejected as unregistered, and the others are sent") { fixture in
            fixture.script(fixture.token(1), .gone)
            let outcomes = try await fixture.send(to: (0..<3).map(fixture.token))
            guard case .rejected(let rejection)? = outcomes[1], case .unregistered = rejection.meaning else {
                throw Violation(description: "a gone device: found \(outcomes)")
            }
            try expect(!rejection.reason.isEmpty, "no reason")
            try expect([outcomes[0], outcomes[2]], is: [.accepted, .accepted], "the others")
        },
        Check("the service's own trouble is to be tried again, and is held against no device") { fixture in
            fixture.script(nil, .unavailable)
            let outcomes = try await fixture.send(to: (0..<3).map(fixture.token))
            try expect(outcomes.count, is: 3, "outcomes")
            for outcome in outcomes.values {
                guard case .retry(let retry) = outcome, retry.kind == .provider else {
                    throw Violation(description: "an unavailable service: found \(outcomes)")
                }
            }
        },
        Check("outcomes do not say to which token") { fixture in
            let tokens = (0..<3).map(fixture.token)
            fixture.script(tokens[1], .gone)
            fixture.script(tokens[2], .unavailable)
            let sent = try await fixture.send(to: tokens)
            let refused = try await fixture.send(to: tokens, with: fixture.refusedCredential)
            let impossible = try await fixture.send(to: [fixture.impossibleToken])
            for text in [sent, refused, impossible].flatMap(\.values).map({ "\($0)" }) {
                for token in tokens + [fixture.impossibleToken] {
                    try expect(!text.contains(token), "an outcome says the token: \(text)")
                }
            }
        },
    ]
}
