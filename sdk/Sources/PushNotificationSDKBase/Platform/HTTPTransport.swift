package import Foundation

/// One request to a server.
package struct HTTPCall: Sendable {
    /// The method, in capitals.
    package var method: String
    /// Where to.
    package var url: URL
    /// The header fields; names are unique.
    package var headers: [String: String]
    /// The body, or none.
    package var body: Data?
    /// The most seconds from the call to the end of the answer.
    package var timeout: TimeInterval
    /// The most bytes of an answer's body that are taken; a longer answer is ``TransportError/answerTooLarge``.
    package var answerLimit: Int

    /// The bound of an answer where none is given: 1 MiB, ours; the largest answer, 500 receipts, has about 100 KiB.
    package static let answerLimit = 1 << 20

    package init(
        _ method: String,
        _ url: URL,
        headers: [String: String] = [:],
        body: Data? = nil,
        timeout: TimeInterval,
        answerLimit: Int = HTTPCall.answerLimit
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.timeout = timeout
        self.answerLimit = answerLimit
    }
}

/// A server's answer.
package struct HTTPAnswer: Sendable {
    /// The status, such as 200.
    package var status: Int
    /// The header fields, by name in lower case.
    package var headers: [String: String]
    package var body: Data

    /// An answer from its parts; the names of header fields may have any case.
    package init(status: Int, headers: [String: String] = [:], body: Data = Data()) {
        self.status = status
        self.headers = Dictionary(headers.map { ($0.lowercased(), $1) }, uniquingKeysWith: { $1 })
        self.body = body
    }

    /// The value of a header field, by its name in any case.
    package func header(_ name: String) -> String? { headers[name.lowercased()] }
}

/// Why there is no answer.
package enum TransportError: Error, Sendable, Hashable {
    /// The device is offline, or the server cannot be reached.
    case unreachable(String)
    /// The time was over.
    case timedOut
    /// The server is not who it should be, or there is no secure connection.
    case insecure(String)
    /// The answer is longer than the caller takes.
    case answerTooLarge
    /// The caller gave up.
    case cancelled
    /// Anything else, in the system's words.
    case failed(String)
}

/// Carries a request to a server. It neither retries nor follows redirects: an API that redirects is misconfigured, and
/// a redirect could lead from https to http.
package protocol HTTPTransport: Sendable {
    /// Sends a request and waits for the whole answer. Cancelling the task cancels the request.
    func send(_ call: HTTPCall) async throws(TransportError) -> HTTPAnswer
    /// Opens a request whose answer does not end by itself. Cancelling the task ends it.
    ///
    /// - Parameters:
    ///   - idle: after how many seconds without a byte it is given up; the call's timeout is for the whole.
    ///   - take: called with the bytes of a successful answer as they come, one call after the other, on any thread;
    ///     `false` ends the request. The body of another answer is not handed over.
    /// - Returns: the answer, when the server ended it; its body is empty where it was handed over.
    /// - Throws: ``TransportError``; `cancelled` where the receiver wanted no more.
    func stream(
        _ call: HTTPCall,
        idle: TimeInterval,
        take: @escaping @Sendable (Data) -> Bool
    ) async throws(TransportError) -> HTTPAnswer
}

extension HTTPTransport {
    /// Opens nothing: a way to the server that carries whole answers only.
    package func stream(
        _ call: HTTPCall,
        idle: TimeInterval,
        take: @escaping @Sendable (Data) -> Bool
    ) async throws(TransportError) -> HTTPAnswer {
        throw .failed("there are no streams")
    }
}
