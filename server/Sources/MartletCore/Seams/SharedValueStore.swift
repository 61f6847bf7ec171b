/// Small values that all processes on one store agree on, such as a provider token.
public protocol SharedValueStore: Sendable {
    /// What all agree on under a name, or `nil`. A proposal is written first, if what stands there is still what the
    /// caller saw; without one nothing is.
    ///
    /// - Returns: what stands afterwards: the proposed value, or the one of somebody who was faster.
    func sharedValue(_ name: String, proposing proposal: SharedValue.Proposal?) async throws -> SharedValue?
}

extension SharedValueStore {
    /// The value of that name, or `nil`.
    public func sharedValue(_ name: String) async throws -> SharedValue? {
        try await sharedValue(name, proposing: nil)
    }

    /// Proposes a value.
    ///
    /// - Parameter seen: when the value was made that the caller saw; `nil` when it saw none.
    public func share(_ value: SharedValue, as name: String, insteadOf seen: Timestamp?) async throws -> SharedValue {
        try await sharedValue(name, proposing: SharedValue.Proposal(value: value, seen: seen)) ?? value
    }
}

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
    }

    package init(sealed: [UInt8], madeAt: Timestamp) {
        self.sealed = sealed
        self.madeAt = madeAt
    }
}
