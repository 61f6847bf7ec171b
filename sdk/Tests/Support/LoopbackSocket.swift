#if canImport(Glibc)
    import Foundation
    import Glibc

    /// A socket bound to a port of the loopback.
    struct LoopbackSocket {
        let descriptor: Int32
        /// The port that the system chose.
        let port: UInt16

        /// A socket at which nobody listens yet; whoever makes it closes it.
        ///
        /// - Throws: `POSIXError` when there is no port.
        init() throws {
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            self.descriptor = descriptor
            port = try withUnsafeMutablePointer(to: &address) { pointer in
                try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                    guard bind(descriptor, pointer, length) == 0, getsockname(descriptor, pointer, &length) == 0
                    else { throw POSIXError(.EADDRNOTAVAIL) }
                }
                return pointer.pointee.sin_port.bigEndian
            }
        }

        /// An address at this port.
        ///
        /// - Parameter path: with its first slash.
        func url(_ path: String) -> URL { URL(string: "http://127.0.0.1:\(port)\(path)")! }
    }
#endif
