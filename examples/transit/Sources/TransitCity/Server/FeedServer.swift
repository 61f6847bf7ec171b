import FlyingFox
import FlyingSocks
package import Foundation
package import Transit

/// An agency's server, on loopback: `GET /alerts.pb`.
package actor FeedServer {
    private let server: HTTPServer
    private let clock: TransitClock
    private var answer: @Sendable (Date, String?) throws -> FeedPlayer.Answer

    /// - Parameter port: 0 is a free one.
    package init(
        port: UInt16,
        clock: TransitClock,
        answer: @escaping @Sendable (Date, String?) throws -> FeedPlayer.Answer
    ) throws {
        server = HTTPServer(address: try .inet(ip4: "127.0.0.1", port: port), logger: .disabled)
        self.clock = clock
        self.answer = answer
    }

    /// Answers until the task is cancelled.
    ///
    /// - Parameter listening: called with the port.
    package func run(listening: @escaping @Sendable (UInt16) -> Void) async throws {
        await server.appendRoute("GET /alerts.pb") { [self] request in try await respond(request) }
        try await withThrowingTaskGroup(of: Void.self) { [server] group in
            group.addTask { try await server.run() }
            group.addTask {
                try await server.waitUntilListening(timeout: 10)
                if case .ip4(_, let port) = await server.listeningAddress { listening(port) }
            }
            // A port that is taken ends it at once.
            for try await _ in group {}
        }
    }

    private func respond(_ request: HTTPRequest) async throws -> HTTPResponse {
        let answer = try answer(clock.now(), request.headers[HTTPHeader("If-None-Match")])
        if answer.delay > 0 { try await Task.sleep(for: .seconds(answer.delay)) }
        var headers: HTTPHeaders = [.contentType: answer.type]
        if let tag = answer.tag { headers[HTTPHeader("ETag")] = tag }
        return HTTPResponse(
            statusCode: HTTPStatusCode(answer.status, phrase: ""),
            headers: headers,
            body: answer.body
        )
    }
}
