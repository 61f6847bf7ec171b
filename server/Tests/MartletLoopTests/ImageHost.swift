import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// A web server on this machine with one picture.
final class ImageHost: Sendable {
    /// A picture of one pixel.
    static let png = Data(base64Encoded: "\(header)\(pixel)") ?? Data()
    private static let header = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ"
    private static let pixel = "AAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="

    let address: URL
    private let task: Task<Void, any Error>

    init() async throws {
        let router = Router()
        router.get("/banner.png") { _, _ in
            var headers = HTTPFields()
            headers[.contentType] = "image/png"
            return Response(
                status: .ok,
                headers: headers,
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: Self.png))
            )
        }
        let (ports, running) = AsyncStream<Int>.makeStream()
        let application = Application(
            router: router,
            configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { running.yield($0.localAddress?.port ?? 0) },
            logger: Logger(label: "images") { _ in SwiftLogNoOpLogHandler() }
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
