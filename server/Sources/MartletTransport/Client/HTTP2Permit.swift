import Synchronization

/// Whether requests may still be sent; shared by the templates that are withdrawn together, for instance because they
/// carry the same provider token.
public final class HTTP2Permit: Sendable {
    private let withdrawn = Atomic(false)

    /// A permit that allows sending.
    public init() {}

    /// Whether it has been withdrawn; that is final.
    public var isWithdrawn: Bool { self.withdrawn.load(ordering: .acquiring) }

    func withdraw() {
        self.withdrawn.store(true, ordering: .releasing)
    }
}
