import HTTPTypes
import MartletCore
import MartletWire

/// What a request with many parts, such as devices or notifications, looks up by names: each once.
struct FoundByName<Name: Hashable, Value> {
    private var known: [Name: Result<Value, Failure>] = [:]

    /// What stands under a name, or why there is nothing.
    mutating func value(_ name: Name, find: () async throws -> Value) async throws -> Value {
        if let known = known[name] { return try known.get() }
        do {
            let value = try await find()
            known[name] = .success(value)
            return value
        } catch let failure as Failure {
            known[name] = .failure(failure)
            throw failure
        }
    }
}

extension Failure {
    /// The same refusal of a part of a request, whose fields it names by their paths from there. A server in trouble is no
    /// field's fault.
    func inside(_ part: String) -> Failure {
        guard code.status.code < 500 else { return self }
        var failure = self
        failure.detail.field = detail.field.map { "\(part).\($0)" } ?? part
        return failure
    }
}
