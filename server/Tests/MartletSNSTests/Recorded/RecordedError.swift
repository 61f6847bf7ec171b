import Foundation
import Testing

/// A refusal that was recorded from Amazon SNS.
struct RecordedError: Codable, Sendable, CustomTestStringConvertible {
    /// What the calls are about that bring refusals about here.
    enum Scene: String, Codable, CaseIterable, Sendable {
        /// Topics, their tags and permissions, and subscriptions.
        case topics
        case confirmation
        case publish
        /// Platform applications and endpoints.
        case platform
    }

    /// What it was recorded from, by which the call is found that brings it about.
    var name: String
    /// Where that call is; `nil` for a refusal that nothing here brings about.
    var scene: Scene?
    var code: String
    var status: Int
    var message: String
    /// Of a filter policy the call that it was given to, its scope and its text.
    var call: String?
    var scope: String?
    var policy: String?

    var testDescription: String { name }

    /// All of them.
    static func all() throws -> [RecordedError] {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Fixtures/errors.json")
        return try JSONDecoder().decode([RecordedError].self, from: Data(contentsOf: file))
    }
}

/// One call that is refused.
struct RefusedCall: Sendable {
    var action: String
    var parameters: [(String, String)]
    var region: String
    /// Whether it is made without a signature, as whoever follows a link does.
    var isLink: Bool

    init(
        _ action: String,
        _ parameters: [(String, String)],
        region: String = Harness.region,
        isLink: Bool = false
    ) {
        self.action = action
        self.parameters = parameters
        self.region = region
        self.isLink = isLink
    }
}

/// A server with what calls need to be refused for the right reason.
protocol Refusals: Sendable {
    /// Makes on a fresh server what there has to be.
    init(_ harness: Harness) async throws

    /// The call that brings a recorded refusal about; `nil` for none.
    func call(for row: RecordedError) throws -> RefusedCall?

    /// What the refusal says here, where names are others than those that were recorded.
    func message(of row: RecordedError) -> String

    /// Looks whether all is as it was before the calls.
    func check(_ harness: Harness) async throws
}

extension Refusals {
    func message(of row: RecordedError) -> String { row.message }

    func check(_ harness: Harness) async throws {}
}

extension RecordedError.Scene {
    /// What brings its refusals about.
    var refusals: any Refusals.Type {
        switch self {
        case .topics: TopicRefusals.self
        case .confirmation: ConfirmationRefusals.self
        case .publish: PublishRefusals.self
        case .platform: PlatformRefusals.self
        }
    }
}
