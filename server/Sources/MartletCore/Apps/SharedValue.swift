/// A value that processes agree on.
public struct SharedValue: Sendable, Hashable {
    /// The bytes, sealed by the vault.
    public var sealed: [UInt8]
    /// When it was made.
    public var madeAt: Timestamp

    /// A value in place of the one that the caller saw.
    public struct Proposal: Sendable, Hashable {
        /// The value.
        public var value: SharedValue
        /// When the value was made that the caller saw; `nil` when it saw none.
        public var seen: Timestamp?

        package init(value: SharedValue, seen: Timestamp?) {
            self.value = value
            self.seen = seen
        }
    }

    package init(sealed: [UInt8], madeAt: Timestamp) {
        self.sealed = sealed
        self.madeAt = madeAt
    }
}
