/// Small values that all processes on one store agree on, such as a provider token.
public protocol SharedValueStore: Sendable {
    /// The value of that name, or `nil`.
    func sharedValue(_ name: String) async throws -> SharedValue?

    /// Writes a value if what stands there is still what the caller saw.
    ///
    /// - Parameter seen: when the value was made that the caller saw; `nil` when it saw none.
    /// - Returns: what stands afterwards: this value, or the one of somebody who was faster.
    func share(_ value: SharedValue, as name: String, insteadOf seen: Timestamp?) async throws -> SharedValue
}

/// A value that processes agree on.
public struct SharedValue: Sendable, Hashable {
    /// The bytes, sealed by the vault.
    public var sealed: [UInt8]
    /// When it was made.
    public var madeAt: Timestamp

    package init(sealed: [UInt8], madeAt: Timestamp) {
        self.sealed = sealed
        self.madeAt = madeAt
    }
}
