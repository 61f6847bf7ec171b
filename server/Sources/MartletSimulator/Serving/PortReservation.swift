import NIOCore

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Keeps a TCP port while nobody listens on it: a socket that is bound and does not listen.
///
/// Clients are refused, and no other program, and no outgoing connection, is given the port in the meantime. A
/// listener of this process can bind beside it, since both set SO_REUSEADDR and this one never listens.
struct PortReservation: ~Copyable {
    private let descriptor: CInt

    /// - Throws: `IOError` when the port cannot be bound.
    init(host: String, port: Int) throws {
        let address = try SocketAddress.makeAddressResolvingHost(host, port: port)
        #if canImport(Glibc)
            let kind = CInt(SOCK_STREAM.rawValue)
        #else
            let kind = SOCK_STREAM
        #endif
        let family: CInt = if case .v6 = address { AF_INET6 } else { AF_INET }
        let descriptor = socket(family, kind, 0)
        guard descriptor >= 0 else { throw IOError(errnoCode: errno, reason: "socket") }
        var isOn: CInt = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isOn, socklen_t(MemoryLayout<CInt>.size))
        let result = address.withSockAddr { bind(descriptor, $0, socklen_t($1)) }
        guard result == 0 else {
            let code = errno
            close(descriptor)
            throw IOError(errnoCode: code, reason: "bind")
        }
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }
}
