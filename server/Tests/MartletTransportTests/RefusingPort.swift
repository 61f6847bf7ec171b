import Glibc
import NIOCore

/// A port at which nobody listens, on all addresses of the machine, and which nobody else gets until it is let go.
final class RefusingPort: Sendable {
    let port: Int
    private let descriptor: Int32

    init() throws {
        self.descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        let descriptor = self.descriptor
        // Bytes, because it depends on the order in which the compiler met the headers which module `sockaddr_in` belongs
        // to: its family (2), port (2) and address (4), and eight of padding.
        var address = [UInt8](repeating: 0, count: 16)
        address[0] = UInt8(AF_INET)
        var length = socklen_t(address.count)
        try address.withUnsafeMutableBytes { bytes in
            try bytes.withMemoryRebound(to: sockaddr.self) { pointer in
                // Bound, and listen(2) is never called.
                guard bind(descriptor, pointer.baseAddress, length) == 0,
                    getsockname(descriptor, pointer.baseAddress, &length) == 0
                else { throw IOError(errnoCode: errno, reason: "bind") }
            }
        }
        self.port = Int(address[2]) << 8 | Int(address[3])
    }

    deinit { close(self.descriptor) }
}
