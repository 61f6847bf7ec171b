import MartletCore
import MartletWire

extension ProviderConformance {
    /// Tokens and environments.
    static let tokens: [Check] = [
        Check("a token in its stored form stays as it is, and another is brought into it") { fixture in
            let stored = fixture.token(1)
            try expect(try fixture.provider.normalize(stored, field: "f"), is: stored, "a stored token")
            if let (given, stored) = fixture.unstoredToken {
                try expect(try fixture.provider.normalize(given, field: "f"), is: stored, "a token as it is handed in")
            }
        },
        Check("what is no token is refused with the field") { fixture in
            for text in [fixture.impossibleToken, "", String(repeating: "a", count: 5_000)] {
                let failure = try refusal("no token") { _ = try fixture.provider.normalize(text, field: "f") }
                try expect(failure.detail.field, is: "f", "the field")
            }
        },
        Check("a provider has an environment, and each once") { fixture in
            let environments = fixture.provider.environments
            try expect(!environments.isEmpty, "no environment")
            try expect(Set(environments).count, is: environments.count, "environments")
        },
    ]

    static let rendering: [Check] = [
        Check("what is over the provider's size limit is refused with the field") { fixture in
            _ = try fixture.render(fixture.submission(body: String(repeating: "a", count: 1_000)))
            let failure = try refusal("5,200 bytes") {
                _ = try fixture.render(fixture.submission(body: String(repeating: "a", count: 5_200)))
            }
            try expect(failure.code, is: .payloadTooLarge, "code")
            try expect(failure.detail.field, is: "content", "the field")
        },
        Check("the same submission is rendered to the same message, for the provider's platform") { fixture in
            let message = try fixture.render(fixture.submission())
            try expect(try fixture.render(fixture.submission()), is: message, "the message")
            try expect(message.platform, is: fixture.provider.platform, "platform")
        },
        Check("a message has the urgency that was asked for, or one that the provider chose") { fixture in
            for priority in [Priority.high, .normal] {
                let message = try fixture.render(fixture.submission(priority: priority))
                try expect(message.priority, is: priority, "the urgency")
            }
            let message = try fixture.render(fixture.submission())
            try expect(message.priority != nil, "no urgency")
        },
    ]

    static func refusal(
        _ what: String,
        line: Int = #line,
        file: String = #fileID,
        _ body: () throws -> Void
    ) throws -> Failure {
        do {
            try body()
        } catch let failure as Failure {
            return failure
        }
        throw Violation(description: "\(what): not refused (\(file):\(line))")
    }
}
