import Glibc
import NIOCore

/// A port at which nobody listens, on all addresses of the machine, and which nobody else gets until it is let go.
final class RefusingPort: Sendable {
    let port: Int
    private let descriptor: Int32

    init() throws {
        self.descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = self.descriptor
        self.port = try withUnsafeMutablePointer(to: &address) { pointer in
            try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                // Bound, and listen(2) is never called.
                guard bind(descriptor, pointer, length) == 0, getsockname(descriptor, pointer, &length) == 0
                else { throw IOError(errnoCode: errno, reason: "bind") }
            }
            return Int(pointer.pointee.sin_port.bigEndian)
        }
    }

    deinit { close(self.descriptor) }
}
