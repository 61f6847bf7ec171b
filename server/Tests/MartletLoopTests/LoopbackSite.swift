import Foundation
import Hummingbird
import Logging

/// A web server on this machine that answers as a closure says, for as long as somebody keeps it.
final class LoopbackSite: Sendable {
    let address: URL
    private let task: Task<Void, any Error>

    init(_ answer: @escaping @Sendable (Request) async throws -> Response) async throws {
        let (ports, running) = AsyncStream<Int>.makeStream()
        let application = Application(
            responder: CallbackResponder<BasicRequestContext> { request, _ in try await answer(request) },
            configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { running.yield($0.localAddress?.port ?? 0) },
            logger: Logger(label: "site") { _ in SwiftLogNoOpLogHandler() }
        )
        task = Task {
            defer { running.finish() }
            try await application.run()
        }
        var port = 0
        for await found in ports {
            port = found
            break
        }
        address = URL(string: "http://127.0.0.1:\(port)") ?? URL(fileURLWithPath: "/")
    }

    deinit { task.cancel() }
}
