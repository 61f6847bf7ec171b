import MartletCore

/// What every provider has to do, whichever service it speaks to: each check runs against a provider and a simulator of
/// its own, which the provider's tests make.
public enum ProviderConformance {
    /// One rule.
    public struct Check: Sendable, CustomStringConvertible {
        /// The rule in words.
        public let name: String
        /// How long the fixture's provider is to wait for an answer or a connection: with the simulator on a busy machine
        /// either takes seconds, so it is short only where the check waits for its end.
        public let answerTimeout: Duration
        let body: @Sendable (any ProviderFixture) async throws -> Void

        init(
            _ name: String,
            answerTimeout: Duration = .seconds(30),
            _ body: @escaping @Sendable (any ProviderFixture) async throws -> Void
        ) {
            self.name = name
            self.answerTimeout = answerTimeout
            self.body = body
        }

        /// Runs the check.
        ///
        /// - Throws: ``Violation`` when the provider breaks the rule, and whatever the fixture throws.
        public func run(_ fixture: any ProviderFixture) async throws { try await body(fixture) }

        /// The rule in words.
        public var description: String { name }
    }

    /// All rules.
    public static let all: [Check] = withoutAddress + addresses

    /// Those for a provider whose credentials name no address.
    public static let withoutAddress: [Check] = tokens + rendering + credentials + answers + connections
}
