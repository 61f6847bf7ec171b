import Synchronization

/// Whether the server still takes work: the program says when it stops, `/readyz` passes it on.
public final class Readiness: Sendable {
    private let isOver = Mutex(false)

    /// A server that takes work.
    public init() {}

    /// Says that the server is shutting down: `/readyz` fails from now on, so that balancers look elsewhere.
    public func beginShutdown() { isOver.withLock { $0 = true } }

    /// Whether it is shutting down.
    public var isShuttingDown: Bool { isOver.withLock { $0 } }
}
