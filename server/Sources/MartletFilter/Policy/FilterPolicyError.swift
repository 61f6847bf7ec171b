/// Why a filter policy, or the scope of one, is refused: an `InvalidParameter` of the API.
public struct FilterPolicyError: Error, Hashable, Sendable {
    /// What is wrong, as it follows `Invalid parameter: `, such as `FilterPolicy: Empty arrays are not allowed`.
    public let reason: String

    init(_ reason: String) { self.reason = reason }

    /// The whole message of the API.
    ///
    /// - Parameter isSubscribe: Whether `Subscribe` is called, which takes the policy as one of many attributes and
    ///   says so, and not `SetSubscriptionAttributes`.
    public func message(isSubscribe: Bool) -> String {
        "Invalid parameter: \(isSubscribe ? "Attributes Reason: " : "")\(reason)"
    }

    static let tooComplex = FilterPolicyError("FilterPolicy: Filter policy is too complex")
    static let tooManyKeys = FilterPolicyError(
        "FilterPolicy: Filter policy can not have more than \(FilterLimits.keys) keys"
    )
    static let nested = FilterPolicyError(
        "Filter policy scope MessageAttributes does not support nested filter policy"
    )
    static let tooLarge = FilterPolicyError(
        "FilterPolicy: Filter policy can not be larger than \(FilterLimits.bytes) bytes"
    )
}

/// How much a filter policy may ask for (Amazon SNS developer guide, filter policy constraints).
public enum FilterLimits {
    /// Bytes of a policy's text: 256 KB.
    public static let bytes = 262_144
    /// Keys of a policy: all of them for the attributes, those at the top for the body.
    public static let keys = 5
    /// The product of every key's values and depth, summed over the branches of `$or`.
    public static let combinations = 150
    /// Stars of a wildcard pattern.
    public static let stars = 3
    /// Points of all wildcard patterns.
    public static let wildcardPoints = 100
    /// How many steps a path may have, and how deep objects may nest before their meaning is looked at. More is too
    /// complex in any case: a value at depth 151 alone has more than 150 combinations.
    static let depth = 200
}
