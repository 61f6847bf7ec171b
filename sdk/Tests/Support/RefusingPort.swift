#if canImport(Glibc)
    package import Foundation
    import Glibc

    /// A port of the loopback at which nobody listens, and which nobody else gets until it is let go.
    package final class RefusingPort: Sendable {
        private let socket: Int32
        private let port: UInt16

        /// A port that the system chose.
        ///
        /// - Throws: `POSIXError` when there is none.
        package init() throws {
            let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            self.socket = socket
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            port = try withUnsafeMutablePointer(to: &address) { pointer in
                try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                    // Bound, and listen(2) is never called.
                    guard bind(socket, pointer, length) == 0, getsockname(socket, pointer, &length) == 0
                    else { throw POSIXError(.EADDRNOTAVAIL) }
                }
                return pointer.pointee.sin_port.bigEndian
            }
        }

        deinit { close(socket) }

        /// An address at this port.
        ///
        /// - Parameter path: with its first slash.
        package func url(_ path: String) -> URL { URL(string: "http://127.0.0.1:\(port)\(path)")! }
    }
#endif
