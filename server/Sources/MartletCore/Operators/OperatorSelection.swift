public import MartletWire

/// Which operators are asked for.
public enum OperatorSelection: Sendable, Hashable {
    case one(OperatorSelector)
    case all
}

/// How an operator is found.
public enum OperatorSelector: Sendable, Hashable {
    /// By their id outside.
    case id(PublicID)
    /// By their name, however it is written.
    case name(String)
}

/// Which sessions are asked for.
public enum SessionSelection: Sendable, Hashable {
    /// By the hash of its secret.
    case one(SecretHash)
    case of(RowID<Operator>)
    case all
}

/// Which sessions end.
public enum SessionEnding: Sendable, Hashable {
    /// One, by its id outside; where an operator is named only if it is theirs.
    case one(PublicID, of: RowID<Operator>?)
    /// All of an operator's, but the one that is named.
    case all(of: RowID<Operator>, but: RowID<OperatorSession>?)
}

/// A form that an operator reviews.
public enum SendReview {
    /// How long it is kept: not longer than what it sent is known by.
    package static let lifetime = IdempotencyRecord.lifetime
    /// How many an operator has at most. Ours: more than somebody has open; each may be as long as a form.
    package static let limit = 10
}
