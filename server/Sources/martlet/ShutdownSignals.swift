import Foundation
import Logging
import ServiceLifecycle
import UnixSignals

/// Ends a service group when SIGTERM or SIGINT asks for it.
enum ShutdownSignals {
    /// How long the work that is under way may take: a second less than the ten that a shutdown may take. What has no
    /// recorded answer by then is sent again by the next start, with the same id.
    private static let timeout = 9.0

    /// Watches for signals as long as the process lives: the first ends the group gracefully, also before it runs, a
    /// second one ends the process at once.
    ///
    /// From when it returns on, signals are caught: call it before anybody is told that the process is there.
    static func end(_ group: ServiceGroup, logger: Logger) async {
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
        Task {
            var isEnding = false
            for await signal in signals {
                // 128 and the signal's number is how shells report a process that a signal ended.
                if isEnding { _exit(128 + (signal == .sigint ? SIGINT : SIGTERM)) }
                isEnding = true
                logger.notice("shutting down; a second signal ends the process at once")
                DispatchQueue.global().asyncAfter(deadline: .now() + timeout) {
                    logger.warning("some work did not finish in time; it resumes at the next start")
                    _exit(0)
                }
                Task { await group.triggerGracefulShutdown() }
            }
        }
    }
}
