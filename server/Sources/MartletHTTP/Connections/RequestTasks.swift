import Synchronization

/// The tasks that answer requests, one for each that is answered now and none for a connection that waits, and the answers
/// that are not taken yet.
public final class RequestTasks: Sendable {
    private let count = Atomic(0)

    /// None.
    public init() {}

    func run(on executor: (any TaskExecutor)? = nil, _ operation: @escaping @Sendable () async -> Void) {
        begin()
        Task(executorPreference: executor) { [self] in
            await operation()
            end()
        }
    }

    /// An answer begins.
    func begin() { count.add(1, ordering: .relaxed) }

    /// An answer is taken, or will not be.
    func end() { count.subtract(1, ordering: .relaxed) }

    /// Returns when none is left, or when it is cancelled.
    public func areOver() async {
        while count.load(ordering: .relaxed) > 0, (try? await Task.sleep(for: .milliseconds(10))) != nil {}
    }
}
