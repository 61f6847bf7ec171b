import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle
import Synchronization

/// The demo's own site, on `http://localhost`: a page that subscribes and says how it went, and its worker.
final class DemoSite: Sendable {
    /// What the page said.
    struct Report: Decodable, Sendable {
        enum Kind: String, Decodable, Sendable { case subscribed, shown, failed }

        var kind: Kind
        var texts: [String]
    }

    /// What the page is about.
    struct Settings: Encodable, Sendable {
        var server: String
        var app: String
        var key: String
        var userID: String
    }

    private struct State {
        var settings: Settings?
        var reports: [Report] = []
    }

    /// Reports that are kept; a page makes three.
    private static let limit = 100
    private static let reportSize = 64 << 10

    /// Its origin, as a browser writes it.
    let origin: String
    private let state: Shared
    private let group: ServiceGroup
    private let task: Task<Void, any Error>

    private final class Shared: Sendable {
        let value = Mutex(State())
    }

    /// Serves on a free port.
    static func start() async throws -> DemoSite {
        let state = Shared()
        let (ports, running) = AsyncThrowingStream<Int, any Error>.makeStream()
        // What fails is thrown.
        let quiet = Logger(label: "martlet.demo.site") { _ in SwiftLogNoOpLogHandler() }
        let application = Application(
            router: router(state),
            configuration: .init(address: .hostname("127.0.0.1", port: 0), serverName: nil),
            onServerRunning: { running.yield($0.localAddress?.port ?? 0) },
            logger: quiet
        )
        var configuration = ServiceGroupConfiguration(services: [application], logger: quiet)
        // A browser that keeps its connection must not keep the demo from ending.
        configuration.maximumGracefulShutdownDuration = .seconds(2)
        let group = ServiceGroup(configuration: configuration)
        let task = Task {
            do {
                try await group.run()
                running.finish()
            } catch {
                running.finish(throwing: error)
                throw error
            }
        }
        for try await port in ports { return DemoSite("http://localhost:\(port)", state, group, task) }
        throw CommandFailure("The demo's page could not be served.", status: .failed)
    }

    private init(_ origin: String, _ state: Shared, _ group: ServiceGroup, _ task: Task<Void, any Error>) {
        (self.origin, self.state, self.group, self.task) = (origin, state, group, task)
    }

    /// Has the page be about this.
    func open(_ settings: Settings) { state.value.withLock { $0.settings = settings } }

    /// What the page said of that kind last.
    func last(_ kind: Report.Kind) -> Report? {
        state.value.withLock { state in state.reports.last { $0.kind == kind } }
    }

    /// Stops serving and waits for it. Not by cancelling: a connection that opens meanwhile would be let go of before
    /// anybody has taken it, which ends the process.
    func shutdown() async {
        await group.triggerGracefulShutdown()
        _ = await task.result
    }

    private static func router(_ state: Shared) -> Router<BasicRequestContext> {
        let router = Router()
        router.get("/") { _, _ in
            guard let settings = state.value.withLock({ $0.settings }) else { throw HTTPError(.notFound) }
            return answer(try DemoPage.html(settings), "text/html; charset=utf-8")
        }
        router.get("/sw.js") { _, _ in
            guard let settings = state.value.withLock({ $0.settings }) else { throw HTTPError(.notFound) }
            return answer(DemoPage.worker(settings), "text/javascript")
        }
        router.post("/report") { request, _ in
            let body = try await request.body.collect(upTo: reportSize)
            let report = try JSONDecoder().decode(Report.self, from: Data(body.readableBytesView))
            state.value.withLock { state in
                guard state.reports.count < limit else { return }
                state.reports.append(report)
            }
            return Response(status: .noContent)
        }
        return router
    }

    private static func answer(_ text: String, _ type: String) -> Response {
        Response(
            status: .ok,
            headers: [.contentType: type, .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text))
        )
    }
}
