import Foundation
import Logging

/// How many files the process may have open, of which each connection is one.
enum OpenFiles {
    /// What is open beside clients' connections: the database's files, connections to providers and webhooks, and the
    /// event loops' own. Ours: an idle server has some thirty.
    private static let others = 256

    /// Takes those that a process cannot go on without, asks for as many as the connections need, and says so where there
    /// are fewer.
    static func prepare(for connections: Int, logger: Logger) async {
        await takeTimers()
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        let needed = rlim_t(connections + others)
        guard limit.rlim_cur < needed else { return }
        limit.rlim_cur = min(needed, limit.rlim_max)
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        guard limit.rlim_cur < needed else { return }
        logger.warning(
            "there are fewer files than connections need: raise the limit (ulimit -n), or lower connections",
            metadata: ["files": "\(limit.rlim_cur)", "needed": "\(needed)", "connections": "\(connections)"]
        )
    }

    /// Waits a moment by each clock. The timers behind them are files too, opened when a clock is first waited for: a
    /// process that connections have left no file for would end then.
    static func takeTimers() async {
        try? await Task.sleep(for: .nanoseconds(1), clock: .continuous)
        try? await Task.sleep(for: .nanoseconds(1), clock: .suspending)
    }
}
