package import Hummingbird
package import NIOCore

/// What the console needs of the context of the router that it is mounted on.
package protocol ConsoleRequestContext: RequestContext {
    /// The other end of the connection; `nil` without one.
    var peer: String? { get }
    /// The connection, for an answer that goes on.
    var connection: any Channel { get }
    /// Says who asks in the request's log line.
    func note(key: String?)
    /// Says the error's code there.
    func note(code: String)
    /// Reads a body as far as this many bytes and no further.
    ///
    /// - Throws: `Failure` with ``ErrorCode/bodyTooLarge`` for a longer one.
    func collect(_ body: RequestBody, limit: Int) async throws -> [UInt8]
}
