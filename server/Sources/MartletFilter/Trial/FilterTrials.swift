/// Answers trials, a JSON line each, and keeps the policies that it has read, because they repeat.
public struct FilterTrials {
    /// The longest line, in bytes: a policy and a message of 256 KB, with every byte escaped.
    public static let lineLimit = 4 * 1_048_576

    /// A policy's text and its scope.
    private struct Key: Hashable {
        var policy: Text
        var scope: FilterScope
    }

    private var policies: [Key: Result<FilterPolicy, FilterPolicyError>] = [:]
    /// The bytes of the texts that are kept.
    private var kept = 0

    /// What is kept before all is forgotten, in bytes of text.
    private static let keptLimit = 4 * 1_048_576

    /// Trials without a policy read yet.
    public init() {}

    /// The answer to a line `{"scope","policy","attributes"|"body"}`: `true`, `false` or `{"error":"…"}`.
    ///
    /// The policy is an object or its text. A `body` that is a string is the message itself, any other value its JSON.
    /// `attributes` has an object for each name, with `DataType` and `StringValue`. With `"call":"Subscribe"` errors are
    /// in the words of that call, otherwise in those of `SetSubscriptionAttributes`. An error never ends anything.
    public mutating func answer(_ line: [UInt8]) -> String {
        guard line.count <= Self.lineLimit else {
            return Self.error("The line is longer than \(Self.lineLimit) bytes")
        }
        do {
            let trial = try FilterTrial.read(line)
            switch policy(trial.policy ?? [], trial.scope) {
            case .success(let policy):
                let message = FilterMessage(
                    attributes: trial.attributes,
                    body: trial.scope == .messageBody ? trial.body : nil
                )
                return policy.matches(message) ? "true" : "false"
            case .failure(let error): return Self.error(error.message(isSubscribe: trial.isSubscribe))
            }
        } catch {
            return Self.error(error.reason)
        }
    }

    /// An answer that says what is wrong.
    static func error(_ reason: String) -> String {
        #"{"error":\#(String(decoding: PolicyDocument.quoted(Text(reason)), as: UTF8.self))}"#
    }

    private mutating func policy(_ text: [UInt8], _ scope: FilterScope) -> Result<FilterPolicy, FilterPolicyError> {
        let key = Key(policy: Text(text), scope: scope)
        if let known = policies[key] { return known }
        let policy = Result { () throws(FilterPolicyError) in try FilterPolicy(bytes: text, scope: scope) }
        // A text beyond the limit of a policy is refused at once, and not worth keeping.
        guard text.count <= FilterLimits.bytes else { return policy }
        // A short text has a compiled form too, so each counts for some bytes more.
        kept += text.count + 256
        if kept > Self.keptLimit {
            policies.removeAll()
            kept = text.count + 256
        }
        policies[key] = policy
        return policy
    }
}
