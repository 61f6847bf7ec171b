public import Logging
public import MartletCore
public import MartletStore
import MartletWire

/// Tells people's devices what they read on another, when it is due. It is best effort: what one server took and did not
/// send is told with the next read.
public struct BadgeSyncWorker: Sendable {
    private let store: Store
    private let submitter: Submitter
    private let clock: any WallClock
    private let logger: Logger

    /// How often it looks for what is due: a person who reads does not look at the other device in the same second.
    static let pollInterval: Duration = .seconds(1)

    /// How many people one transaction takes. Ours: some milliseconds.
    static let limit = 100

    /// A worker over a store, with what sends.
    public init(store: Store, submitter: Submitter, clock: any WallClock, logger: Logger) {
        self.store = store
        self.submitter = submitter
        self.clock = clock
        self.logger = logger
    }

    /// Works until it is cancelled.
    public func run() async {
        while !Task.isCancelled {
            do {
                while try await work() == Self.limit, !Task.isCancelled {}
            } catch is CancellationError {
                return
            } catch {
                logger.warning("badges could not be sent", metadata: ["error": "\(error)"])
            }
            do { try await clock.sleep(for: Self.pollInterval) } catch { return }
        }
    }

    /// Sends what is due; says how many people that is.
    package func work() async throws -> Int {
        let due = try await store.takeBadgeSyncs(limit: Self.limit)
        for (row, syncs) in Dictionary(grouping: due, by: \.app) {
            guard let app = try await store.app(.row(row)) else { continue }
            for sync in syncs where !sync.endpoints.isEmpty {
                do {
                    _ = try await submitter.submit(sync.submission(app: app, now: clock.now()), idempotency: nil)
                } catch let failure as Failure {
                    logger.warning("a badge could not be sent", metadata: ["error": "\(failure)"])
                }
            }
        }
        return due.count
    }
}
