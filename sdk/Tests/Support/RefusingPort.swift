#if canImport(Glibc)
    package import Foundation
    import Glibc

    /// A port of the loopback at which nobody listens, and which nobody else gets until it is let go.
    package final class RefusingPort: Sendable {
        private let socket: LoopbackSocket

        /// A port that the system chose.
        ///
        /// - Throws: `POSIXError` when there is none.
        package init() throws { socket = try LoopbackSocket() }

        deinit { close(socket.descriptor) }

        /// An address at this port.
        ///
        /// - Parameter path: with its first slash.
        package func url(_ path: String) -> URL { socket.url(path) }
    }
#endif
