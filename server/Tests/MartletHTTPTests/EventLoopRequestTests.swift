import HTTPTypes
import Hummingbird
import HummingbirdTesting
import MartletHTTP
import MartletTesting
import NIOCore
import Testing

@Suite struct EventLoopRequestTests {
    struct Context: RequestContext {
        var coreContext: CoreRequestContextStorage
        let eventLoop: any EventLoop

        init(source: ApplicationRequestContextSource) {
            coreContext = .init(source: source)
            eventLoop = source.channel.eventLoop
        }
    }

    static func request(_ method: HTTPRequest.Method, _ path: String, bytes: Int? = nil) -> HTTPRequest {
        var request = HTTPRequest(method: method, scheme: nil, authority: nil, path: path)
        request.headerFields[.contentLength] = bytes.map(String.init)
        return request
    }

    @Test("a send, a registration and a call of SNS of usual length are answered on the event loop, and nothing larger")
    func brief() {
        let limit = 16 * 1024
        for path in ["/api/v1/notifications", "/api/v1/devices", "/"] {
            #expect(MartletAPI.runsOnEventLoop(Self.request(.post, path, bytes: limit)))
            #expect(!MartletAPI.runsOnEventLoop(Self.request(.post, path, bytes: limit + 1)))
            // A length that nobody has said may be any.
            #expect(!MartletAPI.runsOnEventLoop(Self.request(.post, path)))
            #expect(!MartletAPI.runsOnEventLoop(Self.request(.get, path)))
        }
        #expect(MartletAPI.runsOnEventLoop(Self.request(.get, "/healthz")))
        let others = ["/api/v1/notifications/batch", "/api/v1/apps/a/credentials", "/console/login"]
        for path in others { #expect(!MartletAPI.runsOnEventLoop(Self.request(.post, path, bytes: 10))) }
    }

    @Test("what is brief stays on its event loop, but for what asks to leave it, and nothing else does")
    func executor() async throws {
        let router = Router(context: Context.self)
        for path in ["brief", "other"] {
            router.get("\(path)") { _, context in
                await Task.yield()
                return context.eventLoop.inEventLoop ? "loop" : "pool"
            }
        }
        router.get("slow") { _, context in
            await withTaskExecutorPreference(globalConcurrentExecutor) {
                await Task.yield()
                return context.eventLoop.inEventLoop ? "loop" : "pool"
            }
        }
        let responder = router.buildResponder()
        let application = Application(
            responder: responder,
            server: .limitedHTTP1(ConnectionLimits(), proxies: .none, responder: responder) { $0.path != "/other" }
        )
        try await application.test(.live) { client in
            for (path, place) in [("/brief", "loop"), ("/slow", "pool"), ("/other", "pool")] {
                let answer = try await client.execute(uri: path, method: .get)
                #expect(String(buffer: answer.body) == place)
            }
        }
    }
}
