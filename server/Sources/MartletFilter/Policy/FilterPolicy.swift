/// A filter policy of a subscription, read and checked once.
///
/// The language is that of Amazon SNS: keys are joined with "and", the entries of a key's array with "or". What is
/// refused, and in which words, follows AWS's recorded answers, and event-ruler, AWS's published matcher, where there
/// is none.
public struct FilterPolicy: Sendable, Hashable {
    /// What of a message it looks at.
    public let scope: FilterScope
    /// The conditions, any of which is enough.
    let branches: [Branch]

    /// Reads a policy.
    ///
    /// - Parameters:
    ///   - text: A JSON object, at most ``FilterLimits/bytes`` long.
    ///   - scope: What it looks at.
    /// - Throws: ``FilterPolicyError``.
    public init(_ text: String, scope: FilterScope = .messageAttributes) throws(FilterPolicyError) {
        try self.init(bytes: Array(text.utf8), scope: scope)
    }

    /// Reads a policy from its bytes, as ``init(_:scope:)`` does from its text.
    ///
    /// - Throws: ``FilterPolicyError``.
    public init(bytes: [UInt8], scope: FilterScope) throws(FilterPolicyError) {
        guard bytes.count <= FilterLimits.bytes else { throw .tooLarge }
        let document: PolicyDocument
        do {
            document = try PolicyDocument(bytes)
        } catch {
            throw FilterPolicyError("FilterPolicy: failed to parse JSON. \(error.message(in: bytes))")
        }
        self.scope = scope
        branches = try PolicyCompiler.clauses(of: document).branches(for: scope)
    }

    /// Whether it lets every message pass: the policy `{}`.
    public var matchesEverything: Bool { branches.contains { $0.conditions.isEmpty } }

    /// Whether it lets a message pass.
    public func matches(_ message: FilterMessage) -> Bool {
        guard let fields = message.fields(scope) else { return matchesEverything }
        return branches.contains { $0.matches(fields) }
    }
}
