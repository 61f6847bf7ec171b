import HTTPTypes
import Hummingbird
import MartletCore
import MartletWire
import NIOCore

/// Reads a request's body as far as its limit and no further.
struct RequestBodyReader {
    /// The largest body, in bytes.
    let limit: Int
    /// What to do with a larger one.
    let hint: String

    init(limit: Int, hint: String = "Send less in one request; the same dedup key covers several requests.") {
        self.limit = limit
        self.hint = hint
    }

    /// The body.
    ///
    /// - Throws: `Failure` with ``ErrorCode/unsupportedMediaType`` for another type than JSON, with
    ///   ``ErrorCode/bodyTooLarge`` as soon as the length is announced or reached, and with
    ///   ``ErrorCode/malformedRequest`` when it trickles in for too long or breaks off.
    func read(_ request: Request) async throws -> [UInt8] {
        if let type = request.headers[.contentType], !RequestBodyReader.isJSON(type) {
            throw Failure(
                .unsupportedMediaType,
                "The body's Content-Type is not JSON.",
                hint: "Send 'Content-Type: application/json'."
            )
        }
        return try await readAny(request)
    }

    /// The body, of whatever media type.
    ///
    /// - Throws: `Failure` as ``read(_:)`` does, but for the type.
    func readAny(_ request: Request) async throws -> [UInt8] {
        if let announced = request.headers[.contentLength].flatMap(Int.init), announced > limit { throw tooLarge }
        return try await collect(request.body)
    }

    /// The bytes, whatever they are.
    ///
    /// - Throws: `Failure` as ``read(_:)`` does.
    func collect(_ body: RequestBody) async throws -> [UInt8] {
        let start = ContinuousClock.now
        var bytes: [UInt8] = []
        do {
            for try await chunk in body {
                guard bytes.count + chunk.readableBytes <= limit else { throw tooLarge }
                bytes.append(contentsOf: chunk.readableBytesView)
                guard ContinuousClock.now - start < RequestBodyReader.timeout else { throw tooSlow }
            }
        } catch let error where !(error is Failure || error is CancellationError) {
            // The connection broke or what came is not HTTP: the caller's trouble and not a defect.
            throw Failure(.malformedRequest, "The body could not be read completely.", hint: "Send it again.")
        }
        return bytes
    }

    /// For how long a body may trickle in. Ours: a megabyte over a line of 300 kbit/s. Between two chunks the server's
    /// idle timeout counts.
    private static let timeout: Duration = .seconds(30)

    private var tooSlow: Failure {
        Failure(.malformedRequest, "The body took longer than 30 seconds to arrive.", hint: "Send it again.")
    }

    private var tooLarge: Failure {
        Failure(
            .bodyTooLarge,
            "The body has more than \(limit) bytes.",
            hint: hint
        )
    }

    /// Whether a media type is JSON, with or without parameters.
    static func isJSON(_ type: String) -> Bool {
        if type == "application/json" { return true }
        let essence = type.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }.lowercased()
        return essence == "application/json"
    }
}
