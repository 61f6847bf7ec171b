package import Foundation

/// The backend's two loops: one fetches and plans, the other sends; neither waits for the other.
package struct BackendRun: Sendable {
    /// How often, and how long at most, by the machine's clock.
    package struct Timing: Sendable {
        /// Seconds between two fetches.
        package var interval = 1.0
        /// Seconds for one fetch.
        package var deadline = 10.0
        /// Seconds before a request is sent again, at first and at most.
        package var firstPause = 0.1
        package var longestPause = 5.0

        package init() {}
    }

    private let backend: Backend
    private let messenger: any Messenger
    private let timing: Timing
    private let wake: AsyncStream<Void>
    private let wakeUp: AsyncStream<Void>.Continuation

    package init(_ backend: Backend, messenger: any Messenger, timing: Timing = Timing()) {
        self.backend = backend
        self.messenger = messenger
        self.timing = timing
        (wake, wakeUp) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Runs until the task is cancelled or the state cannot be written.
    ///
    /// - Throws: also when there are no riders to begin with: without them nobody is affected any more, and what they were
    ///   told would be taken away from them.
    package func run(feed: URL, riders path: String, reader: FeedReader = FeedReader()) async throws {
        var riders = RiderFile(path: path)
        if let first = try riders.changed() { try await backend.set(first) }
        let file = riders
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await poll(feed, file, reader) }
            group.addTask { try await sendAll() }
            try await group.next()
            group.cancelAll()
        }
    }

    private func poll(_ url: URL, _ file: RiderFile, _ reader: FeedReader) async throws {
        let fetcher = FeedFetcher(url, deadline: timing.deadline, reader: reader)
        var riders = file
        while !Task.isCancelled {
            let began = ContinuousClock.now
            do {
                if let changed = try riders.changed() { try await backend.set(changed) }
            } catch let failure as RiderFile.Failure {
                await backend.note("\(failure) The riders stay as they were.")
            }
            try await Self.fetch(fetcher, into: backend)
            try await backend.tick()
            wakeUp.yield()
            try await Task.sleep(until: began + .seconds(timing.interval))
        }
    }

    /// Fetches once and takes what came.
    package static func fetch(_ fetcher: FeedFetcher, into backend: Backend) async throws {
        let fetched: FeedFetcher.Fetched
        do throws(FeedProblem) {
            fetched = try await fetcher.fetch()
        } catch {
            return await backend.report(error)
        }
        switch fetched {
        case .unchanged: await backend.unchanged()
        case .feed(let snapshot): if try await backend.take(snapshot) { fetcher.keep() }
        }
    }

    private func sendAll() async throws {
        var pause = timing.firstPause
        for await _ in wake {
            while !Task.isCancelled, let intent = await backend.next {
                guard case .again(let after, _) = try await send(intent) else {
                    pause = timing.firstPause
                    continue
                }
                try await Task.sleep(for: .seconds(min(after ?? pause, 60)))
                pause = min(pause * 2, timing.longestPause)
            }
        }
    }

    /// Sends one request and writes down what became of it.
    package func send(_ intent: Intent) async throws -> SendOutcome {
        if intent.purpose == .end {
            for notification in await backend.notifications(of: intent.alert) {
                guard await messenger.cancel(notification) else {
                    let outcome = SendOutcome.again(after: nil, "Martlet did not cancel a notification")
                    try await backend.settle(intent, outcome)
                    return outcome
                }
            }
            try await backend.cancelled(intent.alert)
        }
        let outcome = await messenger.send(intent)
        try await backend.settle(intent, outcome)
        return outcome
    }
}
