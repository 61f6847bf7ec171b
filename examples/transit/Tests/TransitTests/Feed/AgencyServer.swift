import Foundation
import Synchronization
import Testing
import Transit
import TransitCity

/// An agency's server on loopback.
enum AgencyServer {
    /// Runs the body beside a server that gives the answers in turn, the last one for ever.
    ///
    /// - Parameter body: gets the feed's address, and a way to the tags that were asked with.
    static func serve(
        _ answers: [FeedPlayer.Answer],
        _ body: @escaping @Sendable (URL, @Sendable () -> [String?]) async throws -> Void
    ) async throws {
        let left = Mutex(answers)
        let tags = Mutex<[String?]>([])
        try await serve { tag in
            tags.withLock { $0.append(tag) }
            return left.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
        } while: { url in
            try await body(url) { tags.withLock { $0 } }
        }
    }

    /// Runs the body beside a server that answers as told; it is told the tag that was asked with.
    static func serve(
        _ answer: @escaping @Sendable (String?) -> FeedPlayer.Answer,
        while body: @escaping @Sendable (URL) async throws -> Void
    ) async throws {
        let server = try FeedServer(port: 0, clock: .system) { _, tag in answer(tag) }
        let (ports, listening) = AsyncStream.makeStream(of: UInt16.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run { listening.yield($0) } }
            let first = await ports.first { _ in true }
            let url = URL(string: "http://127.0.0.1:\(try #require(first))/alerts.pb")
            try await body(try #require(url))
            group.cancelAll()
        }
    }
}
