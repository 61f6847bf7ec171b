import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// Makes a TLS context once, however many ask for it, and never on an event loop: reading the trust roots takes
/// milliseconds, in which no connection of the loop would be served.
final class TLSContextSource: Sendable {
    private enum State {
        case none
        case making([EventLoopPromise<NIOSSLContext>])
        case made(NIOSSLContext)
    }

    private let make: @Sendable () throws -> NIOSSLContext
    private let state = Mutex(State.none)

    /// A source that calls `make` on a thread that may block; again only after it has thrown.
    init(_ make: @escaping @Sendable () throws -> NIOSSLContext) {
        self.make = make
    }

    /// The context; fails with what `make` threw.
    func context(on eventLoop: any EventLoop) -> EventLoopFuture<NIOSSLContext> {
        let promise = eventLoop.makePromise(of: NIOSSLContext.self)
        let isFirst = self.state.withLock { state in
            switch state {
            case .none:
                state = .making([promise])
                return true
            case .making(let promises):
                state = .making(promises + [promise])
                return false
            case .made(let context):
                promise.succeed(context)
                return false
            }
        }
        if isFirst {
            NIOThreadPool.singleton.submit { _ in self.finish(Result { try self.make() }) }
        }
        return promise.futureResult
    }

    private func finish(_ result: Result<NIOSSLContext, any Error>) {
        let waiting = self.state.withLock { state in
            let promises =
                if case .making(let promises) = state { promises } else { [EventLoopPromise<NIOSSLContext>]() }
            state = if case .success(let context) = result { .made(context) } else { .none }
            return promises
        }
        for promise in waiting { promise.completeWith(result) }
    }
}
