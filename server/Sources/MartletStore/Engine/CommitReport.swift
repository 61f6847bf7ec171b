package import MartletCore
import MartletWire

/// What one commit did.
public struct CommitReport: Sendable, Hashable {
    /// How many writes shared it.
    public var writes: Int
    /// From its beginning until it was durable.
    public var duration: Duration
}

/// Why a commit was lost, and all writes of it.
public enum CommitFailure: String, Sendable, Hashable, CaseIterable {
    /// The disk is full.
    case full
    /// Another process holds the database.
    case locked
    /// The database cannot be reached.
    case unreachable
    /// Anything else that the database says, such as a disk that fails.
    case other

    /// What callers are told when the database takes nothing now and may later; `nil` for everything else.
    package var refusal: Failure? {
        switch self {
        case .full:
            Failure(
                .overloaded,
                "The disk of the database is full.",
                hint: "Free some space; what was accepted is kept."
            )
        case .locked:
            Failure(
                .overloaded,
                "Another process holds the database.",
                hint: "Send the request again in a few seconds."
            )
        case .unreachable:
            Failure(
                .overloaded,
                "The database cannot be reached.",
                hint: "Send the request again in a few seconds."
            )
        case .other: nil
        }
    }
}
