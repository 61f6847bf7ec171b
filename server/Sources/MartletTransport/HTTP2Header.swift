/// One header field of a request or an answer.
///
/// Names are lower case (RFC 9113, section 8.2); a name that is not makes the peer treat the message as malformed.
public struct HTTP2Header: Sendable, Equatable {
    /// The field's name, in lower case.
    public var name: String
    /// The field's value.
    public var value: String
    /// False: sent literally and never indexed (RFC 7541, section 6.2.3), for values that vary or are secret.
    public var isIndexed: Bool

    /// A header field.
    public init(_ name: String, _ value: String, isIndexed: Bool = true) {
        self.name = name
        self.value = value
        self.isIndexed = isIndexed
    }
}
