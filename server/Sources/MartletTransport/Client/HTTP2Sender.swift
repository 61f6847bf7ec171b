import Synchronization

/// What takes bursts: one connection, or a pool of them.
public protocol HTTP2Sender: Sendable {
    /// Queues the requests of a burst.
    func send(_ burst: HTTP2Burst)
    /// Gives up requests that have no answer yet: those written are answered as lost, the others as unprocessed.
    func cancel(_ burst: HTTP2Burst)
}

extension HTTP2Sender {
    /// Sends one request and waits for its answer; cancelling the task cancels the request.
    public func send(
        _ template: HTTP2RequestTemplate,
        path: String,
        headers: [HTTP2Header] = []
    ) async -> HTTP2Answer {
        var builder = HTTP2Burst.Builder(
            template: template,
            fields: headers.map { HTTP2BurstField($0.name, isIndexed: $0.isIndexed) },
            capacity: 1
        )
        builder.append(path: path, values: headers.map(\.value))
        let waiter = Waiter()
        let burst = builder.build { _, answer in waiter.resume(answer) }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                waiter.wait(continuation)
                send(burst)
                // A task cancelled before it came here has called its handler before the request was there.
                if Task.isCancelled { cancel(burst) }
            }
        } onCancel: {
            cancel(burst)
        }
    }
}

/// Holds the one who waits for an answer.
private final class Waiter: Sendable {
    private let continuation = Mutex<CheckedContinuation<HTTP2Answer, Never>?>(nil)

    func wait(_ continuation: CheckedContinuation<HTTP2Answer, Never>) {
        self.continuation.withLock { $0 = continuation }
    }

    func resume(_ answer: HTTP2Answer) {
        self.continuation.withLock { $0.take() }?.resume(returning: answer)
    }
}
