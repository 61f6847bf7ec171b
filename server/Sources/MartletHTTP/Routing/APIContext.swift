public import Hummingbird
package import NIOCore
import Synchronization

/// What goes along with a request.
public struct APIContext: RequestContext {
    /// What Hummingbird keeps.
    public var coreContext: CoreRequestContextStorage
    /// What the log line says about the request when it is over.
    let note = RequestNote()
    /// The other end of the connection; `nil` without one.
    package let peer: String?
    /// The connection, for an answer that outlives its handler.
    package let connection: any Channel

    /// A context for a request from this source.
    public init(source: Source) {
        coreContext = CoreRequestContextStorage(source: source)
        peer = source.channel.remoteAddress?.ipAddress
        connection = source.channel
    }
}

/// What other interfaces on the router use: they know the context by protocols of their own.
extension APIContext {
    package func note(key: String?) { note.key = key }

    package func note(code: String) { note.code = code }

    package func collect(_ body: RequestBody, limit: Int) async throws -> [UInt8] {
        try await RequestBodyReader(limit: limit).collect(body)
    }
}

/// What is learnt of a request while it is answered, for its log line.
final class RequestNote: Sendable {
    private let state = Mutex<(key: String?, code: String?)>((nil, nil))

    /// The id of the API key, or `user` for a user token.
    var key: String? {
        get { state.withLock(\.key) }
        set { state.withLock { $0.key = newValue } }
    }

    /// The error's code.
    var code: String? {
        get { state.withLock(\.code) }
        set { state.withLock { $0.code = newValue } }
    }
}
