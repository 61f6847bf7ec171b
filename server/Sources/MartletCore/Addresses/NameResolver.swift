import Dispatch
import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Turns names into addresses with the system's resolver, which blocks a thread for each name.
///
/// At most a bounded number of look-ups run at a time; further ones fail at once, since a thread that hangs in the resolver
/// cannot be called back.
package final class NameResolver: Sendable {
    /// Threads that may wait for name servers; key sets are fetched rarely, so this many at once means an outage.
    package static let bound = 8

    private let running = Mutex(0)
    private let limit: Int
    private let queue = DispatchQueue(label: "martlet.names", attributes: .concurrent)

    /// A resolver with so many look-ups at a time.
    package init(bound: Int = NameResolver.bound) { limit = bound }

    /// All addresses of a name, in the order in which to try them (RFC 6724, as the system sorts them).
    ///
    /// - Throws: ``FetchError``; `CancellationError` at once when the task is cancelled, while the look-up itself
    ///   goes on and keeps its place.
    package func addresses(of name: String) async throws -> [IPAddress] {
        let admitted = running.withLock { count in
            guard count < limit else { return false }
            count += 1
            return true
        }
        guard admitted else { throw FetchError.busy }
        let answer = OneAnswer()
        queue.async { [self] in
            let found = NameResolver.lookUp(name)
            running.withLock { $0 -= 1 }
            answer.give(found)
        }
        return try await answer.value
    }

    private static func lookUp(_ name: String) -> Result<[IPAddress], any Error> {
        var hints = addrinfo()
        // One entry for each address instead of one for each kind of socket.
        hints.ai_protocol = Int32(IPPROTO_TCP)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(name, nil, &hints, &list) == 0 else { return .failure(FetchError.unknownName) }
        defer { freeaddrinfo(list) }
        var found: [IPAddress] = []
        var next = list
        while let entry = next {
            if let address = entry.pointee.ai_addr.flatMap(IPAddress.init(socket:)), !found.contains(address) {
                found.append(address)
            }
            next = entry.pointee.ai_next
        }
        return found.isEmpty ? .failure(FetchError.unknownName) : .success(found)
    }
}

extension IPAddress {
    /// The address inside a socket address; `nil` for other families.
    fileprivate init?(socket: UnsafeMutablePointer<sockaddr>) {
        // By place: which module `sockaddr_in` and `sockaddr_in6` belong to depends on the order in which the compiler met
        // the headers. After family and port of four bytes; in the second one a flow label of four stands between.
        let place: (start: Int, count: Int)
        switch Int32(socket.pointee.sa_family) {
        case AF_INET: place = (4, 4)
        case AF_INET6: place = (8, 16)
        default: return nil
        }
        self.init(
            bytes: Array(UnsafeRawBufferPointer(start: UnsafeRawPointer(socket) + place.start, count: place.count))
        )
    }
}

/// An answer that arrives once, for one task, which may stop waiting before.
private final class OneAnswer: Sendable {
    private enum State {
        case empty
        case waiting(CheckedContinuation<[IPAddress], any Error>)
        case answered(Result<[IPAddress], any Error>)
        case over
    }

    private let state = Mutex(State.empty)

    var value: [IPAddress] {
        get async throws {
            try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    let early: Result<[IPAddress], any Error>? = state.withLock { state in
                        switch state {
                        case .answered(let answer):
                            state = .over
                            return answer
                        case .empty, .waiting, .over:
                            state = .waiting(continuation)
                            return nil
                        }
                    }
                    if let early { continuation.resume(with: early) }
                }
            } onCancel: {
                give(.failure(CancellationError()))
            }
        }
    }

    func give(_ answer: Result<[IPAddress], any Error>) {
        let waiting: CheckedContinuation<[IPAddress], any Error>? = state.withLock { state in
            switch state {
            case .empty:
                state = .answered(answer)
                return nil
            case .waiting(let continuation):
                state = .over
                return continuation
            case .answered, .over:
                return nil
            }
        }
        waiting?.resume(with: answer)
    }
}
