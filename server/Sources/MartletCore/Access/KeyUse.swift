import MartletWire

/// That a key was used.
public struct KeyUse: Sendable, Hashable {
    /// Which key.
    public enum Key: Sendable, Hashable {
        case api(RowID<APIKey>)
        case access(RowID<StoredAccessKey>)
    }

    /// The key.
    public var key: Key
    /// When.
    public var at: Timestamp

    public init(_ key: Key, at moment: Timestamp) { (self.key, at) = (key, moment) }
}
