/// What of a message a filter policy looks at; the raw value is the value of the attribute `FilterPolicyScope`.
public enum FilterScope: String, Sendable, CaseIterable {
    /// The message's attributes, which do not nest; the default.
    case messageAttributes = "MessageAttributes"
    /// The members of a body that is a JSON object.
    case messageBody = "MessageBody"

    /// Reads the value of `FilterPolicyScope`.
    ///
    /// - Throws: ``FilterPolicyError`` for any other.
    public init(parsing value: String) throws(FilterPolicyError) {
        guard let scope = FilterScope(rawValue: value) else {
            throw FilterPolicyError(
                "FilterPolicyScope: Invalid value [\(value)]. Please use either MessageBody or MessageAttributes"
            )
        }
        self = scope
    }
}
